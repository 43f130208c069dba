import Glibc
import STCSystemd
import STPlatform

/// Waits for descriptors, and for the descriptor and the timeout of one sd-bus connection.
final class DBusWaiter: LoopWaiter {
    private var items: [pollfd] = []
    private var handlers: [() -> Void] = []
    /// Not owned. The connection that sets it must clear it before it frees the bus.
    var bus: OpaquePointer?
    /// Called after every wait while there is a connection.
    var onTurn: () -> Void = {}

    func watch(descriptor: Int32, _ onReadable: @escaping () -> Void) {
        items.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        handlers.append(onReadable)
    }

    func unwatch(descriptor: Int32) {
        guard let index = items.firstIndex(where: { $0.fd == descriptor }) else { return }
        items.remove(at: index)
        handlers.remove(at: index)
    }

    func wait(timeoutMs: Int) {
        var list = items
        var timeoutMs = timeoutMs
        if let bus {
            let events = sd_bus_get_events(bus)
            list.append(pollfd(fd: sd_bus_get_fd(bus), events: Int16(max(0, events)), revents: 0))
            timeoutMs = Self.earlier(timeoutMs, Self.timeoutMs(of: bus))
        }
        let count = poll(&list, nfds_t(list.count), Int32(clamping: timeoutMs))
        if count > 0 {
            // A handler can watch or unwatch. So the ready handlers are collected before the first one is called.
            let ready = items.indices.filter { list[$0].revents != 0 }.map { handlers[$0] }
            for handler in ready { handler() }
        }
        if bus != nil { onTurn() }
    }

    /// Returns the milliseconds until sd-bus must be called at the latest, or -1 if it sets no limit.
    private static func timeoutMs(of bus: OpaquePointer) -> Int {
        var dueUs: UInt64 = .max
        guard sd_bus_get_timeout(bus, &dueUs) >= 0, dueUs != .max else { return -1 }
        let nowUs = UInt64(Stopwatch.nanoseconds() / 1_000)
        return dueUs <= nowUs ? 0 : Int(clamping: (dueUs - nowUs + 999) / 1_000)
    }

    private static func earlier(_ one: Int, _ other: Int) -> Int {
        if one < 0 { return other }
        return other < 0 ? one : min(one, other)
    }
}
