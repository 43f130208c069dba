import STAuthCore
import STPlatform
import STServiceKit

@main
enum Main {
    static func main() {
        let owner = AccountName.current()
        ServiceProcess.main(AuthService.definition(owner: owner, deviceName: HostName.current()))
    }
}
