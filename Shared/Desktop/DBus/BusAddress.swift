import Glibc
package import STPlatform

/// Where a bus listens.
package enum BusAddress {
    /// The bus of this login: `DBUS_SESSION_BUS_ADDRESS`, else the socket in `XDG_RUNTIME_DIR`.
    package static func session(_ environment: [String: String]) throws(Problem) -> String {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") else {
            throw Problem(
                "dbus.no_session",
                "There is no session bus: neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set.",
                retryable: true
            )
        }
        let path = "\(runtime)/bus"
        guard access(path, F_OK) == 0 else {
            throw Problem(
                "dbus.no_session",
                "There is no session bus: \(path) does not exist.",
                retryable: true
            )
        }
        return "unix:path=" + escaped(path)
    }

    /// The bus of the machine: `DBUS_SYSTEM_BUS_ADDRESS`, else where every system has it.
    package static func system(_ environment: [String: String]) -> String {
        if let address = environment["DBUS_SYSTEM_BUS_ADDRESS"], !address.isEmpty { return address }
        return "unix:path=/run/dbus/system_bus_socket"
    }

    /// As addresses write what may not stand in them.
    package static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "*"):
                return String(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16)
                return "%" + (digits.utf8.count < 2 ? "0" : "") + digits
            }
        }.joined()
    }
}
