import STBus
import STCZeroMQ
import STContracts
import STPlatform

/// One SUB to one service.
///
/// Lives on the bus thread, which always services it: a SUB sends its subscriptions again after a reconnect
/// only then (engineering.md, finding 8).
package final class SubscriberPort {
    private static let turnMax = 512

    private let loop: BusLoop
    private let socket: ZMQSocket
    private let onMessage: ([[UInt8]]) -> Void

    package init(
        _ loop: BusLoop,
        endpoint: String,
        topics: [String],
        _ onMessage: @escaping ([[UInt8]]) -> Void
    ) throws {
        self.loop = loop
        self.onMessage = onMessage
        socket = try ZMQSocket(loop.context, .subscriber)
        try socket.set(ZMQ_LINGER, 0)
        try socket.set(ZMQ_RCVHWM, 20_000)
        try socket.set(ZMQ_MAXMSGSIZE, long: BusLimits.socketBytes)
        try socket.set(ZMQ_RECONNECT_IVL, 20)
        try socket.set(ZMQ_RECONNECT_IVL_MAX, 500)
        for topic in topics { try socket.subscribe(topic) }
        try socket.connect("ipc://" + endpoint)
        loop.waiter.watch(socket) { self.drain() }
    }

    package func close() {
        loop.waiter.unwatch(socket)
        socket.close()
    }

    private func drain() -> Bool {
        for _ in 0..<Self.turnMax {
            guard let message = socket.receive(frameLimit: BusLimits.frames) else { return true }
            // The bus's own topics say how it goes, not what happened.
            if message.frames.first?.first != UInt8(ascii: "~") { loop.traffic.eventHeard() }
            onMessage(message.frames)
        }
        return false
    }
}
