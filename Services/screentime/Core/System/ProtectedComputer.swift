import Glibc
import STPlatform

/// A computer on which the services run under a separate account. Other accounts reach the services through
/// account-door.
package enum ProtectedComputer {
    package static let agent = "screentime-agent.service"
    package static let unitFolder = "/usr/lib/systemd/system"

    package static var isOn: Bool { access(Directories.protected.run, F_OK) == 0 }
}
