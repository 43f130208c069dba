import Glibc

/// A waiter over poll(2).
package final class PollWaiter: LoopWaiter {
    private var items: [pollfd] = []
    private var handlers: [() -> Void] = []

    package init() {}

    package func watch(descriptor: Int32, _ onReadable: @escaping () -> Void) {
        items.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        handlers.append(onReadable)
    }

    package func unwatch(descriptor: Int32) {
        guard let index = items.firstIndex(where: { $0.fd == descriptor }) else { return }
        items.remove(at: index)
        handlers.remove(at: index)
    }

    package func wait(timeoutMs: Int) {
        guard poll(&items, nfds_t(items.count), Int32(clamping: timeoutMs)) > 0 else { return }
        // A handler may watch or unwatch, so the ready ones are gathered before the first is called.
        let ready = items.indices.filter { items[$0].revents != 0 }.map { handlers[$0] }
        for handler in ready { handler() }
    }
}
