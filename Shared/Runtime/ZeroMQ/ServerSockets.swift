package import STBus
import STCZeroMQ
import STContracts

/// The two sockets that a service binds: ROUTER for requests, XPUB for events.
package final class ServerSockets {
    /// Upper bound on the messages that one turn reads from one socket before the other sockets.
    private static let turnMax = 256
    static let handshakeMs: Int32 = 2_000

    private let loop: BusLoop
    private let router: ZMQSocket
    private let publisher: ZMQSocket
    private var monitors: [ConnectionMonitor] = []
    package private(set) var unroutable: Int64 = 0
    private var disconnects: Int64 = 0
    private var refusedHandshakes: Int64 = 0
    private var surplus: Int64 = 0

    /// Sockets received from systemd, or nil to create them.
    package struct Handover: Sendable {
        package var rpc: Int32?
        package var events: Int32?

        package init(rpc: Int32? = nil, events: Int32? = nil) {
            self.rpc = rpc
            self.events = events
        }
    }

    package var onRequest: (_ peer: [UInt8], _ frames: [[UInt8]], Principal) -> Void = { _, _, _ in }
    package var onSubscription: (_ topic: String, _ isNew: Bool) -> Void = { _, _ in }

    /// Must be called on the loop's thread, with the instance lock held. A second bind would take over a live endpoint.
    package init(_ loop: BusLoop, rpc: String, events: String, handover: Handover = Handover()) throws {
        self.loop = loop
        router = try ZMQSocket(loop.context, .router)
        publisher = try ZMQSocket(loop.context, .publisher)
        try Self.limit(router, handover.rpc, bytes: BusLimits.socketBytes)
        try router.set(ZMQ_ROUTER_MANDATORY, 1)
        try router.set(ZMQ_SNDHWM, 1_000)
        // Only subscriptions arrive here. libzmq keeps them in a tree with one node per byte.
        try Self.limit(publisher, handover.events, bytes: BusLimits.subscriptionSocketBytes)
        try publisher.set(ZMQ_XPUB_VERBOSE, 1)
        try publisher.set(ZMQ_SNDHWM, 20_000)
        try publisher.set(ZMQ_RCVHWM, 1_000)
        for socket in [router, publisher] {
            monitors.append(try ConnectionMonitor(loop, socket))
        }
        try router.bind("ipc://" + rpc)
        try publisher.bind("ipc://" + events)
        loop.waiter.watch(router) { self.drainRequests() }
        loop.waiter.watch(publisher) { self.drainSubscriptions() }
    }

    private static func limit(_ socket: ZMQSocket, _ descriptor: Int32?, bytes: Int64) throws {
        try socket.set(ZMQ_LINGER, 250)
        try socket.set(ZMQ_MAXMSGSIZE, long: bytes)
        try socket.set(ZMQ_HANDSHAKE_IVL, handshakeMs)
        try socket.set(ZMQ_BACKLOG, 256)
        if let descriptor { try socket.set(ZMQ_USE_FD, descriptor) }
    }

    package func reply(to peer: [UInt8], _ frames: [[UInt8]]) {
        if router.send([peer] + frames) != .done { unroutable += 1 }
    }

    package func publish(_ topic: String, header: [UInt8], body: [UInt8]) {
        _ = publisher.send([Array(topic.utf8), header, body])
    }

    /// Leaves new requests unread. Replies and events are still sent.
    package func stopReceiving() { loop.waiter.unwatch(router) }

    package func close() {
        loop.waiter.unwatch(router)
        loop.waiter.unwatch(publisher)
        for monitor in monitors { monitor.close() }
        router.close()
        publisher.close()
    }

    private func drainRequests() -> Bool {
        for _ in 0..<Self.turnMax {
            guard let message = router.receive(frameLimit: BusLimits.frames + 3, wantsPeer: true) else {
                return true
            }
            guard let peer = message.frames.first else { continue }
            onRequest(peer, Array(message.frames.dropFirst()), message.principal)
        }
        return false
    }

    private func drainSubscriptions() -> Bool {
        for _ in 0..<Self.turnMax {
            guard let message = publisher.receive(frameLimit: 1) else { return true }
            guard let frame = message.frames.first, let flag = frame.first, flag <= 1,
                frame.count <= BusLimits.topicBytes + 1
            else { continue }
            onSubscription(String(decoding: frame.dropFirst(), as: UTF8.self), flag == 1)
        }
        return false
    }

    /// Returns the numbers of ended connections, of refused handshakes, and of connections of peers that had too many.
    package func connectionCounts() -> (disconnects: Int64, refused: Int64, surplus: Int64) {
        for monitor in monitors {
            let heard = monitor.update()
            disconnects += heard.disconnected
            refusedHandshakes += heard.refused
            surplus += heard.surplus
        }
        return (disconnects, refusedHandshakes, surplus)
    }
}
