import STCZeroMQ
import STPlatform

/// Counts the connections made and lost on one socket.
///
/// libzmq drops a message that is too large together with its connection and reports nothing, so a lost connection is its
/// only trace.
///
/// The monitor's messages are read as they come: once some thousands of them are unread, libzmq's own thread waits for
/// room and all sockets stand still.
final class ConnectionMonitor {
    struct Counts: Sendable, Equatable {
        var connected: Int64 = 0
        var disconnected: Int64 = 0
        var refused: Int64 = 0
    }

    private static let turnMax = 256

    private let loop: BusLoop
    private let watched: ZMQSocket
    private let pair: ZMQSocket
    private var counts = Counts()
    private let changed: ((_ isConnected: Bool) -> Void)?

    /// Must be called on the thread of the socket, before it binds or connects.
    ///
    /// `changed` is called as each connection begins and ends.
    init(_ loop: BusLoop, _ socket: ZMQSocket, changed: ((_ isConnected: Bool) -> Void)? = nil) throws {
        self.loop = loop
        self.changed = changed
        watched = socket
        let endpoint = "inproc://monitor-\(Identifier.make(wallMs: Stopwatch.bootMilliseconds()))"
        let events =
            ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL
            | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL
        guard zmq_socket_monitor(socket.handle, endpoint, events) == 0 else {
            throw ZMQProblem.last("zmq_socket_monitor")
        }
        pair = try ZMQSocket(loop.context, number: ZMQ_PAIR)
        try pair.set(ZMQ_LINGER, 0)
        try pair.set(ZMQ_RCVHWM, 10_000)
        try pair.connect(endpoint)
        loop.waiter.watch(pair) { self.drain() }
    }

    /// The counts since the last call.
    func take() -> Counts {
        while !drain() {}
        defer { counts = Counts() }
        return counts
    }

    /// Bounded, so that a flood of connections does not starve the other sockets.
    private func drain() -> Bool {
        for _ in 0..<Self.turnMax {
            guard let message = pair.receive(frameLimit: 2) else { return true }
            guard let frame = message.frames.first, frame.count >= 2 else { continue }
            switch Int32(frame[0]) | Int32(frame[1]) << 8 {
            case ZMQ_EVENT_HANDSHAKE_SUCCEEDED:
                counts.connected += 1
                changed?(true)
            case ZMQ_EVENT_DISCONNECTED:
                counts.disconnected += 1
                changed?(false)
            default: counts.refused += 1
            }
        }
        return false
    }

    /// Call this before the monitored socket is closed.
    func close() {
        _ = zmq_socket_monitor(watched.handle, nil, 0)
        loop.waiter.unwatch(pair)
        pair.close()
    }
}
