package import STBus
import STCZeroMQ
import STContracts
import STPlatform

/// A ROUTER socket for one process that was started to connect to it.
///
/// The kernel names the sender of every message. The owner decides which senders to accept.
package final class PrivateEndpoint {
    private static let turnMax = 64

    private let loop: BusLoop
    private let router: ZMQSocket
    private var isClosed = false
    package var onMessage: (_ peer: [UInt8], _ frames: [[UInt8]], Principal) -> Void = { _, _, _ in }

    /// Must be called on the loop's thread.
    ///
    /// At most `frameLimit` frames of a message are kept, and one more to reveal excess frames. A message of more than
    /// `messageBytes` closes the connection.
    package init(
        _ loop: BusLoop,
        path: String,
        frameLimit: Int,
        messageBytes: Int64 = BusLimits.socketBytes
    ) throws {
        self.loop = loop
        router = try ZMQSocket(loop.context, .router)
        try router.set(ZMQ_LINGER, 0)
        try router.set(ZMQ_ROUTER_MANDATORY, 1)
        try router.set(ZMQ_MAXMSGSIZE, long: messageBytes)
        try router.set(ZMQ_RCVHWM, 200)
        try router.set(ZMQ_SNDHWM, 200)
        try router.set(ZMQ_HANDSHAKE_IVL, 2_000)
        try router.set(ZMQ_BACKLOG, 8)
        try router.bind("ipc://" + path)
        loop.waiter.watch(router) { [unowned self] in drain(frameLimit) }
    }

    private func drain(_ frameLimit: Int) -> Bool {
        for _ in 0..<Self.turnMax {
            // The handler of a message may have closed this endpoint.
            guard !isClosed else { return true }
            // One more for the routing id, and one more to reveal an excess frame.
            guard let message = router.receive(frameLimit: frameLimit + 2, wantsPeer: true) else {
                return true
            }
            guard let peer = message.frames.first else { continue }
            onMessage(peer, Array(message.frames.dropFirst()), message.principal)
        }
        return false
    }

    /// Returns false if the peer is gone or has stopped reading.
    package func send(to peer: [UInt8], _ frames: [[UInt8]]) -> Bool {
        !isClosed && router.send([peer] + frames) == .done
    }

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        loop.waiter.unwatch(router)
        router.close()
    }
}

/// A DEALER socket to the endpoint that a host created for this process: the other end of `PrivateEndpoint`.
///
/// Used on the bus thread. Lives as long as the process.
package final class HostConnection {
    private static let turnMax = 64

    private let socket: ZMQSocket
    package private(set) var isConnected = false

    /// Calls `lost` if an existing connection ends. The host never comes back.
    package init(
        _ loop: BusLoop,
        endpoint: String,
        frameLimit: Int,
        received: @escaping ([[UInt8]]) -> Void,
        lost: @escaping () -> Void
    ) throws {
        socket = try ZMQSocket(loop.context, .dealer)
        try socket.set(ZMQ_LINGER, 0)
        try socket.set(ZMQ_SNDHWM, 200)
        try socket.set(ZMQ_RCVHWM, 200)
        try socket.set(ZMQ_MAXMSGSIZE, long: BusLimits.socketBytes)
        try socket.set(ZMQ_RECONNECT_IVL, 20)
        // The loop keeps the monitor.
        _ = try ConnectionMonitor(loop, socket) { isConnected in
            self.isConnected = isConnected
            if !isConnected { lost() }
        }
        try socket.connect(endpoint)
        loop.waiter.watch(socket) { self.drain(frameLimit, received) }
    }

    private func drain(_ frameLimit: Int, _ received: ([[UInt8]]) -> Void) -> Bool {
        for _ in 0..<Self.turnMax {
            guard let message = socket.receive(frameLimit: frameLimit) else { return true }
            received(message.frames)
        }
        return false
    }

    /// Returns false if the host has stopped reading.
    package func send(_ frames: [[UInt8]]) -> Bool { socket.send(frames) == .done }
}
