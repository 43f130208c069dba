import Glibc
import STPlatform

/// What goes wrong with a connection.
extension DesktopBus {
    static let notConnected = Problem(
        "dbus.not_connected",
        "There is no connection to the bus.",
        retryable: true
    )

    static func unreachable(_ address: String, _ number: Int32) -> Problem {
        Problem(
            "dbus.unreachable",
            "The bus at \(address) cannot be reached: \(String(cString: strerror(number))).",
            retryable: true
        )
    }
}
