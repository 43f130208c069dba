import STAuthCore
import STContracts
import STPlatform
import STServiceKit

@main
enum Main {
    static func main() {
        ServiceProcess.main(.auth) { configuration in
            AuthService.definition(
                // An account of the system, whose name begins with `_` in Debian, belongs to no person.
                owner: AccountName.own.hasPrefix("_") ? nil : AccountName.own,
                deviceName: HostName.current(),
                formerSeat: configuration.value(.desktopMember)
            )
        }
    }
}
