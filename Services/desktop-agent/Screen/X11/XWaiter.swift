import Glibc
import STPlatform

/// Waits for descriptors and for one connection to an X server, which may hold events that its socket does not show.
final class XWaiter: LoopWaiter {
    private var items: [pollfd] = []
    private var handlers: [() -> Void] = []
    /// Sends what is to be sent and handles what has come; true when that was anything.
    ///
    /// Set while there is a connection.
    var turn: (() -> Bool)?

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
        // What was handled may have set timers, so the loop has to look at them before anything blocks.
        if turn?() == true { return }
        guard poll(&items, nfds_t(items.count), Int32(clamping: timeoutMs)) > 0 else { return }
        // A handler may watch or unwatch, so the ready ones are gathered before the first is called.
        let ready = items.indices.filter { items[$0].revents != 0 }.map { handlers[$0] }
        for handler in ready { handler() }
    }
}
