package import STBus
import STCZeroMQ
package import STContracts
import STPlatform

/// One DEALER socket to one service, with the table of the requests under way.
///
/// Used on the bus thread. The loop keeps the port until it is closed, because it must not watch the socket of a deleted port.
package final class ClientPort {
    /// The time after which a reply is overdue, and the port checks if the connection was lost.
    private static let overdueDelay = Duration.milliseconds(50)

    package typealias Completion = (CallTable.Outcome) -> Void

    private let loop: BusLoop
    private let socket: ZMQSocket
    private var monitor: ConnectionMonitor?
    private var table: CallTable
    private struct PendingCall {
        var counts: Bool
        var route: String
        var completion: Completion
    }

    private var pendingCalls: [String: PendingCall] = [:]
    private var timer: UInt64?
    private var timerDue = BootTime.distantFuture
    private var wasConnected = false
    /// The moment since which the other end is unreachable.
    private var lostSince: BootTime?
    /// True if the other end refused the key at the last attempt to connect.
    package private(set) var isRefused = false
    private var isClosed = false
    /// The time for which the other end may be unreachable before its requests fail. If nil, they wait until their deadlines.
    package var refusalTimeoutMs: Int64?

    /// With `keys`, the endpoint is that of another machine, `tcp://HOST:PORT`. Otherwise it is the path of a socket.
    package init(
        _ loop: BusLoop,
        service: ServiceName,
        endpoint: String,
        keys: CurveClient? = nil
    ) throws {
        self.loop = loop
        table = CallTable(peer: service)
        socket = try ZMQSocket(loop.context, .dealer)
        try socket.set(ZMQ_LINGER, 0)
        try socket.set(ZMQ_IMMEDIATE, 1)
        try socket.set(ZMQ_SNDHWM, 1_000)
        try socket.set(ZMQ_RCVHWM, 10_000)
        try socket.set(ZMQ_MAXMSGSIZE, long: BusLimits.socketBytes)
        try socket.set(ZMQ_RECONNECT_IVL, 20)
        try socket.set(ZMQ_RECONNECT_IVL_MAX, 500)
        if let keys { try keys.secure(socket) }
        monitor = try ConnectionMonitor(loop, socket)
        try socket.connect(keys == nil ? "ipc://" + endpoint : endpoint)
        loop.waiter.watch(socket) {
            self.drain()
        } onWritable: {
            self.socketDidBecomeWritable()
        }
    }

    package func start(
        id: String,
        route: String,
        frames: [[UInt8]],
        deadlineMs: Int64,
        _ completion: @escaping Completion
    ) {
        guard !isClosed else {
            return completion(.failed(.init("request.cancelled", "The client was closed.")))
        }
        let counts = BusTraffic.counts(route)
        if counts { loop.traffic.callBegan(route) }
        pendingCalls[id] = PendingCall(counts: counts, route: route, completion: completion)
        perform(
            table.start(id: id, route: route, frames: frames, deadline: BootTime(ms: deadlineMs), now: now)
        )
    }

    package func cancel(id: String) { perform(table.cancel(id: id)) }

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        perform(table.close())
        if let timer { loop.thread.cancelTimer(timer) }
        loop.waiter.unwatch(socket)
        monitor?.close()
        socket.close()
    }

    package var resends: Int { table.resends }

    private var now: BootTime { BootTime(ms: Stopwatch.bootMilliseconds()) }

    private func perform(_ effects: [CallTable.Effect]) {
        for effect in effects {
            switch effect {
            case .send(let id, let frames):
                if socket.send(frames) == .done {
                    if pendingCalls[id]?.counts == true { loop.traffic.requestSent() }
                } else {
                    table.markUnsent(id: id)
                    socket.wantsWrite = true
                }
            case .finish(let id, let outcome): finish(id, outcome)
            }
        }
        arm()
    }

    private func finish(_ id: String, _ outcome: CallTable.Outcome) {
        guard let call = pendingCalls.removeValue(forKey: id) else { return }
        if call.counts { loop.traffic.callEnded(call.route) }
        call.completion(outcome)
    }

    /// Returns true if a reply counts as traffic. A reply that is too late for its call counts, because it was sent once.
    private func counts(_ effects: [CallTable.Effect]) -> Bool {
        guard case .finish(let id, _) = effects.first else { return true }
        return pendingCalls[id]?.counts ?? true
    }

    private func drain() -> Bool {
        // Bounded, so that a flood of replies does not starve the other sockets.
        for _ in 0..<256 {
            guard let message = socket.receive(frameLimit: BusLimits.frames) else { return true }
            let effects = table.receive(message.frames, now: now)
            if counts(effects) { loop.traffic.replyReceived() }
            perform(effects)
        }
        return false
    }

    private func socketDidBecomeWritable() {
        socket.wantsWrite = false
        perform(table.socketDidBecomeWritable(now: now))
    }

    /// Sends the requests under way again after a reconnect, because data written to the old connection may be lost.
    ///
    /// Runs only while a reply is overdue, so it costs nothing if replies are prompt.
    private func checkConnection() {
        let heard = monitor?.update() ?? .init()
        let connected = heard.connected
        isRefused = connected == 0 && (isRefused || heard.denied > 0)
        // The other end does not accept this key and will not reply, so the requests fail now.
        if heard.denied > 0 { perform(table.close()) }
        if let refusalTimeoutMs { evaluateConnection(heard, timeout: .milliseconds(refusalTimeoutMs)) }
        guard connected > 0 else { return }
        let isAnew = wasConnected || connected > 1
        wasConnected = true
        if isAnew { perform(table.connectionDidReturn(now: now)) }
    }

    private func evaluateConnection(_ heard: ConnectionMonitor.Counts, timeout: Duration) {
        if heard.connected > 0 {
            lostSince = nil
        } else if heard.disconnected > 0 {
            lostSince = lostSince ?? now
        }
        if let lostSince, now - lostSince > timeout { perform(table.close()) }
    }

    /// Sets the one timer of the whole table. Moves it only to an earlier moment.
    private func arm() {
        guard !isClosed else { return }
        guard let next = table.next else { return disarm() }
        let due = min(next, now + Self.overdueDelay)
        guard due < timerDue else { return }
        if let timer { loop.thread.cancelTimer(timer) }
        timerDue = due
        timer = loop.thread.after(milliseconds: (due - now).ms) { [weak self] in self?.tick() }
    }

    /// Cancels the timer, because no request is under way.
    private func disarm() {
        if let timer { loop.thread.cancelTimer(timer) }
        timer = nil
        timerDue = .distantFuture
    }

    private func tick() {
        timer = nil
        timerDue = .distantFuture
        checkConnection()
        perform(table.tick(now: now))
    }
}

/// A SUB socket to one service, which receives the messages of its topics.
///
/// Used on the bus thread. The loop always reads the socket, because only then does a SUB socket send its subscriptions again after
/// a reconnect. Messages that are published meanwhile are lost. A reader that needs every event uses a `FollowerMachine`.
///
/// ```swift
/// let port = try SubscriberPort(
///     loop,
///     endpoint: try directories.endpoint(service: "shield-service", .events),
///     topics: [Topic.subscription(.policy)]
/// ) { frames in
///     guard let event = WireEvent(frames: frames) else { return }
///     print(event.header.type, event.header.sequence)
/// }
/// ```
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
        // 0 removes the send limit. At the limit, libzmq drops subscriptions without an error.
        try socket.set(ZMQ_SNDHWM, 0)
        try socket.set(ZMQ_MAXMSGSIZE, long: BusLimits.socketBytes)
        try socket.set(ZMQ_RECONNECT_IVL, 20)
        try socket.set(ZMQ_RECONNECT_IVL_MAX, 500)
        for topic in topics { try socket.subscribe(topic) }
        try socket.connect("ipc://" + endpoint)
        loop.waiter.watch(socket) { self.drain() }
    }

    package func subscribe(_ topic: String) throws { try socket.subscribe(topic) }

    package func unsubscribe(_ topic: String) { socket.unsubscribe(topic) }

    package func close() {
        loop.waiter.unwatch(socket)
        socket.close()
    }

    private func drain() -> Bool {
        for _ in 0..<Self.turnMax {
            guard let message = socket.receive(frameLimit: BusLimits.frames) else { return true }
            // The bus's own topics are not events.
            if message.frames.first?.first != UInt8(ascii: "~") { loop.traffic.eventReceived() }
            onMessage(message.frames)
        }
        return false
    }
}
