package import STBus
import STCZeroMQ
package import STContracts
import STPlatform

/// One DEALER to one service, with the table of the requests under way.
///
/// Lives on the bus thread, which keeps it until it is closed: the loop must not watch the socket of a port that is gone.
package final class ClientPort {
    /// How long an answer may take before the port looks whether the connection was lost.
    private static let overdueMs: Int64 = 50

    package typealias Completion = (CallTable.Outcome) -> Void

    private let loop: BusLoop
    private let socket: ZMQSocket
    private var monitor: ConnectionMonitor?
    private var table: CallTable
    private struct Asked {
        var counts: Bool
        var route: String
        var completion: Completion
    }

    private var asked: [String: Asked] = [:]
    private var timer: UInt64?
    private var timerMs: Int64 = .max
    private var wasConnected = false
    /// Since when the other end is away.
    private var lostMs: Int64?
    /// Whether the other end turned this one away when it last knocked.
    package private(set) var isRefused = false
    private var isClosed = false
    /// How long the other end may be away before what it was asked is given up; nil: until its deadline.
    package var patienceMs: Int64?

    /// With `keys` the endpoint is another machine's, `tcp://HOST:PORT`; otherwise it is the path of a socket.
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
            self.writable()
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
        asked[id] = Asked(counts: counts, route: route, completion: completion)
        perform(table.start(id: id, route: route, frames: frames, deadlineMs: deadlineMs, nowMs: now))
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

    private var now: Int64 { Stopwatch.bootMilliseconds() }

    private func perform(_ effects: [CallTable.Effect]) {
        for effect in effects {
            switch effect {
            case .send(let id, let frames):
                if socket.send(frames) == .done {
                    if asked[id]?.counts == true { loop.traffic.requestSent() }
                } else {
                    table.refused(id: id)
                    socket.wantsWrite = true
                }
            case .finish(let id, let outcome): finish(id, outcome)
            }
        }
        arm()
    }

    private func finish(_ id: String, _ outcome: CallTable.Outcome) {
        guard let call = asked.removeValue(forKey: id) else { return }
        if call.counts { loop.traffic.callEnded(call.route) }
        call.completion(outcome)
    }

    /// Whether a reply counts as traffic; one that comes too late for its call does, as it was sent once.
    private func counts(_ effects: [CallTable.Effect]) -> Bool {
        guard case .finish(let id, _) = effects.first else { return true }
        return asked[id]?.counts ?? true
    }

    private func drain() -> Bool {
        // Bounded, so that a flood of replies does not starve the other sockets.
        for _ in 0..<256 {
            guard let message = socket.receive(frameLimit: BusLimits.frames) else { return true }
            let effects = table.received(message.frames, nowMs: now)
            if counts(effects) { loop.traffic.replyReceived() }
            perform(effects)
        }
        return false
    }

    private func writable() {
        socket.wantsWrite = false
        perform(table.writable(nowMs: now))
    }

    /// Sends again what was under way when the connection was made anew: what was written to the old one may be lost.
    ///
    /// It runs only while an answer is overdue, so it costs a prompt answer nothing.
    private func checkConnection() {
        let heard = monitor?.take() ?? .init()
        let connected = heard.connected
        isRefused = connected == 0 && (isRefused || heard.denied > 0)
        // A door that does not know this key will not answer: its asker need not wait.
        if heard.denied > 0 { perform(table.close()) }
        if let patienceMs { look(heard, patienceMs) }
        guard connected > 0 else { return }
        let isAnew = wasConnected || connected > 1
        wasConnected = true
        if isAnew { perform(table.reconnected(nowMs: now)) }
    }

    private func look(_ heard: ConnectionMonitor.Counts, _ patienceMs: Int64) {
        if heard.connected > 0 { lostMs = nil } else if heard.disconnected > 0 { lostMs = lostMs ?? now }
        if let lostMs, now - lostMs > patienceMs { perform(table.close()) }
    }

    /// Sets the one timer of the whole table, and moves it only for an earlier moment.
    private func arm() {
        guard !isClosed else { return }
        guard let next = table.nextMs else { return disarm() }
        let due = min(next, now + Self.overdueMs)
        guard due < timerMs else { return }
        if let timer { loop.thread.cancelTimer(timer) }
        timerMs = due
        timer = loop.thread.after(milliseconds: due - now) { [weak self] in self?.tick() }
    }

    /// With nothing under way there is nothing to wake up for.
    private func disarm() {
        if let timer { loop.thread.cancelTimer(timer) }
        timer = nil
        timerMs = .max
    }

    private func tick() {
        timer = nil
        timerMs = .max
        checkConnection()
        perform(table.tick(nowMs: now))
    }
}

/// One SUB to one service.
///
/// Lives on the bus thread, which always reads it: only then does a SUB send its subscriptions again after a
/// reconnect.
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
            if message.frames.first?.first != UInt8(ascii: "~") { loop.traffic.eventHeard() }
            onMessage(message.frames)
        }
        return false
    }
}
