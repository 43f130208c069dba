import Glibc
import STPlatform

/// Waits for sockets and descriptors together in one poll(2).
///
/// A socket's own descriptor only reports that something about the socket has changed, and reports it once. A send may also process
/// the change and consume the report. A socket that was used since it was last found empty is therefore checked again before the
/// thread blocks (zmq_getsockopt, ZMQ_FD). zmq_poll does the same for every socket in every turn, which costs two system calls for
/// each idle socket.
final class ZMQWaiter: LoopWaiter {
    private struct Entry {
        var descriptor: Int32
        /// The socket, or nil for a plain descriptor.
        var socket: ZMQSocket?
        /// Reads, and returns true if nothing is left to read.
        var onReadable: () -> Bool
        var onWritable: (() -> Void)?
    }

    private var entries: [Entry] = []
    private var items: [pollfd] = []

    func watch(descriptor: Int32, _ onReadable: @escaping () -> Void) {
        add(
            Entry(descriptor: descriptor) {
                onReadable()
                return true
            }
        )
    }

    func unwatch(descriptor: Int32) { remove { $0.socket == nil && $0.descriptor == descriptor } }

    /// `onReadable` returns true if it emptied the socket. Otherwise it is called again immediately.
    func watch(_ socket: ZMQSocket, _ onReadable: @escaping () -> Bool, onWritable: (() -> Void)? = nil) {
        socket.needsLook = true
        add(
            Entry(
                descriptor: socket.descriptor,
                socket: socket,
                onReadable: onReadable,
                onWritable: onWritable
            )
        )
    }

    func unwatch(_ socket: ZMQSocket) { remove { $0.socket === socket } }

    func wait(timeoutMs: Int) {
        if pollReady() { return poll(timeoutMs: 0) }
        poll(timeoutMs: timeoutMs)
    }

    /// Reads every socket that was used since it was last empty. Returns true if one of them is still not empty.
    private func pollReady() -> Bool {
        var isBusy = false
        // By index, because a handler may watch or unwatch.
        var index = 0
        while index < entries.count {
            let entry = entries[index]
            index += 1
            guard let socket = entry.socket, socket.needsLook else { continue }
            if !service(entry, socket) { isBusy = true }
        }
        return isBusy
    }

    private func service(_ entry: Entry, _ socket: ZMQSocket) -> Bool {
        let isEmpty = entry.onReadable()
        if socket.wantsWrite, let onWritable = entry.onWritable, socket.isWritable { onWritable() }
        return isEmpty && !socket.needsLook
    }

    private func poll(timeoutMs: Int) {
        guard Glibc.poll(&items, nfds_t(items.count), Int32(clamping: timeoutMs)) > 0 else { return }
        // Handlers may watch and unwatch, so collect the ready entries first.
        var ready: [Entry] = []
        for (item, entry) in zip(items, entries) where item.revents != 0 { ready.append(entry) }
        for entry in ready {
            if let socket = entry.socket {
                // An earlier handler may have closed it.
                guard entries.contains(where: { $0.socket === socket }) else { continue }
                _ = service(entry, socket)
            } else {
                _ = entry.onReadable()
            }
        }
    }

    private func add(_ entry: Entry) {
        entries.append(entry)
        items.append(pollfd(fd: entry.descriptor, events: Int16(POLLIN), revents: 0))
    }

    private func remove(_ matches: (Entry) -> Bool) {
        guard let index = entries.firstIndex(where: matches) else { return }
        entries.remove(at: index)
        items.remove(at: index)
    }
}
