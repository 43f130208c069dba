import STCZeroMQ
import STPlatform

/// Hears of connections made and lost on one socket. libzmq drops a message that is too large together with its
/// connection and says nothing, so this is the only trace that such a thing leaves.
package final class ConnectionMonitor {
    package enum Event: Sendable, Equatable {
        case connected, disconnected, refused
    }

    private let loop: BusLoop
    private let watched: ZMQSocket
    private let pair: ZMQSocket

    /// Must be called on the loop's thread, before the socket binds or connects.
    package init(_ loop: BusLoop, _ socket: ZMQSocket, _ handler: @escaping (Event) -> Void) throws {
        self.loop = loop
        watched = socket
        let endpoint = "inproc://monitor-\(Identifier.make(wallMs: Stopwatch.bootMilliseconds()))"
        let events = ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL
            | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL
        guard zmq_socket_monitor(socket.handle, endpoint, events) == 0 else {
            throw ZMQProblem.last("zmq_socket_monitor")
        }
        pair = try ZMQSocket(pairIn: loop.context)
        try pair.set(ZMQ_LINGER, 0)
        try pair.connect(endpoint)
        loop.waiter.watch(pair) { [unowned self] in drain(handler) }
    }

    /// Before the monitored socket is closed.
    package func close() {
        loop.waiter.unwatch(pair)
        _ = zmq_socket_monitor(watched.handle, nil, 0)
        pair.close()
    }

    private func drain(_ handler: (Event) -> Void) {
        while let message = pair.receive(frameLimit: 2) {
            guard let frame = message.frames.first, frame.count >= 2 else { continue }
            switch Int32(frame[0]) | Int32(frame[1]) << 8 {
            case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: handler(.connected)
            case ZMQ_EVENT_DISCONNECTED: handler(.disconnected)
            default: handler(.refused)
            }
        }
    }
}

extension ZMQSocket {
    convenience init(pairIn context: ZMQContext) throws {
        try self.init(context, number: ZMQ_PAIR)
    }
}
