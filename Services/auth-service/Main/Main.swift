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
                owner: AccountName.current.hasPrefix("_") ? nil : AccountName.current,
                deviceName: HostName.current(),
                formerSeat: configuration.value(.desktopMember)
            )
        }
    }
}
