import STCZeroMQ
import STPlatform

/// Waits for sockets and descriptors together. A socket's own descriptor is edge-triggered and misleading
/// (engineering.md, 2.6), so sockets go to zmq_poll and nowhere else.
final class ZMQWaiter: LoopWaiter {
    private var items: [zmq_pollitem_t] = []
    private var handlers: [Handler] = []

    private struct Handler {
        var onReadable: () -> Void
        var onWritable: (() -> Void)?
    }

    func watch(descriptor: Int32, _ onReadable: @escaping () -> Void) {
        items.append(zmq_pollitem_t(socket: nil, fd: descriptor, events: Int16(ZMQ_POLLIN), revents: 0))
        handlers.append(Handler(onReadable: onReadable))
    }

    func unwatch(descriptor: Int32) {
        remove { $0.socket == nil && $0.fd == descriptor }
    }

    func watch(_ socket: ZMQSocket, _ onReadable: @escaping () -> Void, onWritable: (() -> Void)? = nil) {
        items.append(zmq_pollitem_t(socket: socket.handle, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0))
        handlers.append(Handler(onReadable: onReadable, onWritable: onWritable))
    }

    func unwatch(_ socket: ZMQSocket) {
        remove { $0.socket == socket.handle }
    }

    /// Whether to be told when the socket takes messages again.
    func setWantsWrite(_ socket: ZMQSocket, _ wanted: Bool) {
        guard let index = items.firstIndex(where: { $0.socket == socket.handle }) else { return }
        items[index].events = Int16(ZMQ_POLLIN | (wanted ? ZMQ_POLLOUT : 0))
    }

    func wait(timeoutMs: Int) {
        let count = zmq_poll(&items, Int32(items.count), timeoutMs)
        if count < 0 {
            // EINTR cannot come (signals are blocked) and anything else means that a socket is not one.
            precondition(zmq_errno() == EINTR || zmq_errno() == ETERM, "zmq_poll failed")
            return
        }
        if count == 0 { return }
        // Handlers may watch and unwatch, so what is ready is gathered first.
        var ready: [() -> Void] = []
        for (item, handler) in zip(items, handlers) where item.revents != 0 {
            if item.revents & Int16(ZMQ_POLLOUT) != 0, let onWritable = handler.onWritable { ready.append(onWritable) }
            if item.revents & Int16(ZMQ_POLLIN | ZMQ_POLLERR) != 0 { ready.append(handler.onReadable) }
        }
        for action in ready { action() }
    }

    private func remove(_ matches: (zmq_pollitem_t) -> Bool) {
        guard let index = items.firstIndex(where: matches) else { return }
        items.remove(at: index)
        handlers.remove(at: index)
    }
}
