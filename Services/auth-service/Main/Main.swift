import STAuthCore
import STContracts
import STPlatform
import STServiceKit

@main
enum Main {
    static func main() {
        ServiceProcess.main(.auth) { configuration in
            AuthService.definition(
                owner: AccountName.own,
                deviceName: HostName.current(),
                formerSeat: configuration.value(.desktopMember)
            )
        }
    }
}
