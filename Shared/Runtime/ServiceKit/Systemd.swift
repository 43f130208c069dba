import Glibc
import STCSystemd
import STPlatform
import STZeroMQ

/// Messages to systemd, or to the supervisor that speaks its protocol, and what it hands over.
enum Systemd {
    static func notify(_ state: String) { _ = sd_notify(0, state) }

    /// How often the watchdog wants to hear from us, or nil when there is none.
    static func watchdogMs() -> Int64? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return max(100, Int64(microseconds / 1000))
    }

    /// Sockets handed over, by the names `rpc` and `events` of the socket unit.
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
                throw Problem(
                    "start.unknown_socket",
                    "systemd handed over a socket named \(other ?? "?"); FileDescriptorName= must be rpc or events."
                )
            }
        }
        return handover
    }
}
