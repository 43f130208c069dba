import Glibc
import STPlatform

/// A computer on which the services run under an account of their own, and each person's account reaches them through a door.
package enum ProtectedComputer {
    package static let agent = "screentime-agent.service"
    package static let unitFolder = "/usr/lib/systemd/system"

    /// True on a protected computer.
    package static var isOn: Bool { access(Directories.protected.run, F_OK) == 0 }
}
