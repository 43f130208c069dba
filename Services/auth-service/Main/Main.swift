import Glibc
import STAuthCore
import STPlatform
import STServiceKit

@main
enum Main {
    static func main() async {
        let owner = AccountName.current()
        exit(await ServiceProcess.run(AuthService.definition(owner: owner, deviceName: HostName.current())))
    }
}
