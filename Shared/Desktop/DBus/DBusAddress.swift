import Glibc
package import STPlatform

/// Addresses of D-Bus buses.
package enum DBusAddress {
    /// Returns the address of the session bus: `DBUS_SESSION_BUS_ADDRESS`, otherwise the socket in `XDG_RUNTIME_DIR`.
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
                "There is no session bus: \(path, "path") does not exist.",
                key: "dbus.no_session.there-is-no",
                retryable: true
            )
        }
        return "unix:path=" + escaped(path)
    }

    /// Returns the address of the system bus: `DBUS_SYSTEM_BUS_ADDRESS`, otherwise the standard socket.
    package static func system(_ environment: [String: String]) -> String {
        if let address = environment["DBUS_SYSTEM_BUS_ADDRESS"], !address.isEmpty { return address }
        return "unix:path=/run/dbus/system_bus_socket"
    }

    /// Escapes the characters that an address must not contain.
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

    private static let timeoutMs = 200

    /// Returns the process that listens at an address, as reported by the kernel. Returns `nil` if no process listens there or the
    /// address is not a local socket.
    package static func listener(_ address: String) -> Int32? {
        for part in address.split(separator: ";") {
            guard part.hasPrefix("unix:") else { continue }
            let values = part.dropFirst(5).split(separator: ",")
            for (key, isAbstract) in [("path=", false), ("abstract=", true)] {
                guard let value = values.first(where: { $0.hasPrefix(key) }),
                    let path = unescaped(value.dropFirst(key.count)), let pid = listener(path, isAbstract)
                else { continue }
                return pid
            }
        }
        return nil
    }

    private static func unescaped(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes.isEmpty ? nil : bytes
    }

    private static func listener(_ path: [UInt8], _ isAbstract: Bool) -> Int32? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = (isAbstract ? [0] : []) + path
        // One byte for the zero at the end of a file name.
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return nil }
        let descriptor = OwnedDescriptor(number)
        var patience = timeval(tv_sec: 0, tv_usec: suseconds_t(timeoutMs * 1_000))
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor.number, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1))
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor.number, $0, length)
            }
        }
        guard result == 0 else { return nil }
        // struct ucred: pid, uid, gid. Glibc's module does not export it.
        var words: [Int32] = [0, 0, 0]
        var count = socklen_t(12)
        guard getsockopt(descriptor.number, SOL_SOCKET, SO_PEERCRED, &words, &count) == 0 else { return nil }
        return words[0] > 0 ? words[0] : nil
    }
}
