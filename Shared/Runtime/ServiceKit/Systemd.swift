import Glibc
import STCSystemd
import STPlatform
import STZeroMQ

/// Messages to systemd, or to the supervisor that uses its protocol, and sockets received from it.
package enum Systemd {
    package static func notify(_ state: String) { _ = sd_notify(0, state) }

    /// Returns the time in milliseconds within which the watchdog expects a message, or nil if there is none.
    package static func watchdogMs() -> Int64? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return max(100, Int64(microseconds / 1000))
    }

    /// Returns the received sockets by their paths, for a program whose sockets come from one unit.
    package static func receivedDescriptors() -> [String: Int32] {
        var found: [String: Int32] = [:]
        for index in 0..<max(0, sd_listen_fds(1)) {
            let descriptor = Int32(SD_LISTEN_FDS_START) + index
            var address = sockaddr_un()
            var size = socklen_t(MemoryLayout<sockaddr_un>.size)
            let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getsockname(descriptor, $0, &size) == 0
                }
            }
            guard isKnown, address.sun_family == sa_family_t(AF_UNIX) else { continue }
            let path = withUnsafeBytes(of: &address.sun_path) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            found[path] = descriptor
        }
        return found
    }

    /// Returns the received sockets, by the names `rpc` and `events` of the socket unit.
    static func handover() throws -> ServerSockets.Handover {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = sd_listen_fds_with_names(1, &names)
        var handover = ServerSockets.Handover()
        guard count > 0, let names else { return handover }
        defer {
            for index in 0..<Int(count) { free(names[index]) }
            free(names)
        }
        for index in 0..<Int(count) {
            let descriptor = Int32(SD_LISTEN_FDS_START) + Int32(index)
            switch names[index].map({ String(cString: $0) }) {
            case "rpc": handover.rpc = descriptor
            case "events": handover.events = descriptor
            case let other:
                let name = other ?? "?"
                throw Problem(
                    "start.unknown_socket",
                    """
                    systemd passed a socket named \(name, "name"); FileDescriptorName= must be rpc or \
                    events.
                    """
                )
            }
        }
        return handover
    }
}
