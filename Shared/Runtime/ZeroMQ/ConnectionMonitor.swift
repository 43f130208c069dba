import Glibc
import STBus
import STCZeroMQ
import STPlatform

/// Counts the connections made and lost on one socket.
///
/// libzmq drops a message that is too large together with its connection and reports nothing, so a lost connection is its
/// only trace.
///
/// The monitor's messages are read immediately. If some thousands of them are unread, libzmq's own thread waits for room, and all
/// sockets stop.
final class ConnectionMonitor {
    struct Counts: Sendable, Equatable {
        var connected: Int64 = 0
        var disconnected: Int64 = 0
        var refused: Int64 = 0
        /// Handshakes in which the other end did not accept this key.
        var denied: Int64 = 0
        /// Connections of peers that already had too many.
        var surplus: Int64 = 0
    }

    private static let turnMax = 256
    private static let sortInterval = Duration.milliseconds(100)
    private static let margin = Duration.seconds(1)

    private let loop: BusLoop
    private let watched: ZMQSocket
    private let pair: ZMQSocket
    private var counts = Counts()
    private var sorted = Duration.zero
    private let onChange: ((_ isConnected: Bool) -> Void)?
    /// The connections of a socket that others connect to.
    private var connections = PeerConnections()
    /// Set for a socket to which other machines connect.
    private var machineConnections: ConnectionLimiter?

    /// Must be called on the thread of the socket, before it binds or connects.
    ///
    /// `changed` is called as each connection begins and ends.
    init(
        _ loop: BusLoop,
        _ socket: ZMQSocket,
        machines: ConnectionLimiter? = nil,
        changed: ((_ isConnected: Bool) -> Void)? = nil
    ) throws {
        self.loop = loop
        self.machineConnections = machines
        self.onChange = changed
        watched = socket
        let endpoint = "inproc://monitor-\(Identifier.make(wallMs: Stopwatch.bootMilliseconds()))"
        let events =
            ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED
            | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL
            | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH
        guard zmq_socket_monitor(socket.handle, endpoint, events) == 0 else {
            throw ZMQProblem.last("zmq_socket_monitor")
        }
        pair = try ZMQSocket(loop.context, number: ZMQ_PAIR)
        try pair.set(ZMQ_LINGER, 0)
        // No limit for other machines, because libzmq waits for room while it holds a lock that `close` needs.
        try pair.set(ZMQ_RCVHWM, machines == nil ? 10_000 : 0)
        try pair.connect(endpoint)
        loop.waiter.watch(pair) { self.drain() }
    }

    /// Returns the counts since the last call.
    func update() -> Counts {
        while !drain() {}
        defer { counts = Counts() }
        return counts
    }

    /// Reads a bounded number of messages, so that a flood of connections does not starve the other sockets.
    private func drain() -> Bool {
        for _ in 0..<Self.turnMax {
            guard let message = pair.receive(frameLimit: 2) else { return true }
            guard let frame = message.frames.first, frame.count >= 6 else { continue }
            let event = frame.withUnsafeBytes { $0.loadUnaligned(as: UInt16.self) }
            let descriptor = frame.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 2, as: Int32.self) }
            switch Int32(event) {
            case ZMQ_EVENT_ACCEPTED: accepted(descriptor)
            case ZMQ_EVENT_HANDSHAKE_SUCCEEDED:
                counts.connected += 1
                onChange?(true)
            case ZMQ_EVENT_DISCONNECTED:
                connections.remove(descriptor)
                machineConnections?.remove(descriptor)
                counts.disconnected += 1
                onChange?(false)
            case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH:
                counts.denied += 1
                counts.refused += 1
            // The value of these events is not a descriptor. The end of the connection has its own event.
            default: counts.refused += 1
            }
        }
        return false
    }

    /// Ends a connection if its peer has too many.
    ///
    /// The descriptor belongs to libzmq. After the shutdown, libzmq notices the end and closes the descriptor. If libzmq has closed
    /// it meanwhile and the number is in use again, it is no connection of this peer, or another one of it.
    private func accepted(_ descriptor: Int32) {
        if machineConnections != nil { return acceptedMachine(descriptor) }
        // A `struct ucred`: process, account, group.
        var words: [Int32] = [0, 0, 0]
        var size = socklen_t(12)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &words, &size) == 0, words[0] > 0 else {
            return
        }
        let peer = PeerConnections.Peer(uid: UInt32(bitPattern: words[1]), pid: words[0])
        guard !connections.add(descriptor, of: peer) else { return }
        counts.surplus += 1
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private func acceptedMachine(_ descriptor: Int32) {
        guard let peer = SocketPeer(descriptor) else { return }
        let now = Duration.milliseconds(Stopwatch.milliseconds())
        // By now, libzmq has closed the overdue connections that did not authenticate.
        if now - sorted > Self.sortInterval {
            sorted = now
            for known in machineConnections?.overdue(nowMs: now.ms) ?? [] {
                machineConnections?.markKnown(known.descriptor)
            }
        }
        let due = now + .milliseconds(ServerSockets.handshakeMs) + Self.margin
        for surplus in machineConnections?.add(peer, dueMs: due.ms) ?? [] {
            counts.surplus += 1
            surplus.shutDown()
        }
    }

    /// Must be called before the monitored socket is closed.
    func close() {
        _ = zmq_socket_monitor(watched.handle, nil, 0)
        loop.waiter.unwatch(pair)
        pair.close()
    }
}
