import STCZeroMQ
import STPlatform

/// Hears of connections made and lost on one socket.
///
/// libzmq drops a message that is too large together with its connection and says nothing, so this is the only trace that such a thing leaves.
///
/// Nobody waits for it: what it heard is taken out when it matters.
final class ConnectionMonitor {
    enum Event: Sendable, Equatable {
        case connected, disconnected, refused
    }

    private let watched: ZMQSocket
    private let pair: ZMQSocket

    /// Must be called on the thread of the socket, before it binds or connects.
    init(_ context: ZMQContext, _ socket: ZMQSocket) throws {
        watched = socket
        let endpoint = "inproc://monitor-\(Identifier.make(wallMs: Stopwatch.bootMilliseconds()))"
        let events =
            ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL
            | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL
        guard zmq_socket_monitor(socket.handle, endpoint, events) == 0 else {
            throw ZMQProblem.last("zmq_socket_monitor")
        }
        pair = try ZMQSocket(context, number: ZMQ_PAIR)
        try pair.set(ZMQ_LINGER, 0)
        // The newest matter; when nobody asks for long, the others are dropped by libzmq itself.
        try pair.set(ZMQ_RCVHWM, 10_000)
        try pair.connect(endpoint)
    }

    /// What was heard since the last time.
    func take() -> [Event] {
        var events: [Event] = []
        while let message = pair.receive(frameLimit: 2) {
            guard let frame = message.frames.first, frame.count >= 2 else { continue }
            switch Int32(frame[0]) | Int32(frame[1]) << 8 {
            case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: events.append(.connected)
            case ZMQ_EVENT_DISCONNECTED: events.append(.disconnected)
            default: events.append(.refused)
            }
        }
        return events
    }

    /// Before the monitored socket is closed.
    func close() {
        _ = zmq_socket_monitor(watched.handle, nil, 0)
        pair.close()
    }
}
