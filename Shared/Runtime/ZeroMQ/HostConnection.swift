import STCZeroMQ
import STContracts
import STPlatform

/// A DEALER to the one endpoint that a host made for this process: the other end of `PrivateEndpoint`.
///
/// Lives on the bus thread, which keeps it until it is closed.
package final class HostConnection {
    private static let turnMax = 64

    private let loop: BusLoop
    private let socket: ZMQSocket
    private var monitor: ConnectionMonitor?
    private var isClosed = false
    package private(set) var isConnected = false

    /// `lost` is called when there was a connection and it is gone; the host never comes back.
    package init(
        _ loop: BusLoop,
        endpoint: String,
        frameLimit: Int,
        received: @escaping ([[UInt8]]) -> Void,
        lost: @escaping () -> Void
    ) throws {
        self.loop = loop
        socket = try ZMQSocket(loop.context, .dealer)
        try socket.set(ZMQ_LINGER, 0)
        try socket.set(ZMQ_SNDHWM, 200)
        try socket.set(ZMQ_RCVHWM, 200)
        try socket.set(ZMQ_MAXMSGSIZE, long: BusLimits.socketBytes)
        try socket.set(ZMQ_RECONNECT_IVL, 20)
        monitor = try ConnectionMonitor(loop, socket) { isConnected in
            self.isConnected = isConnected
            if !isConnected { lost() }
        }
        try socket.connect(endpoint)
        loop.waiter.watch(socket) { self.drain(frameLimit, received) }
    }

    private func drain(_ frameLimit: Int, _ received: ([[UInt8]]) -> Void) -> Bool {
        for _ in 0..<Self.turnMax {
            // What a message led to may have closed this connection.
            guard !isClosed, let message = socket.receive(frameLimit: frameLimit) else { return true }
            received(message.frames)
        }
        return false
    }

    /// False when the host reads nothing any more.
    package func send(_ frames: [[UInt8]]) -> Bool { !isClosed && socket.send(frames) == .done }

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        loop.waiter.unwatch(socket)
        monitor?.close()
        socket.close()
    }
}
