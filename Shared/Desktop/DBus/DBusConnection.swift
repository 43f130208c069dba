import Glibc
import STCSystemd
package import STPlatform
import Synchronization

/// One connection to a D-Bus bus, on a thread of its own.
package final class DBusConnection: @unchecked Sendable {
    // @unchecked: everything but the thread is touched on that thread only.
    private let loop: LoopThread
    private let onEnd: @Sendable (Problem) -> Void
    private var bus: OpaquePointer?
    private var pending: [UInt64: DBusPendingCall] = [:]
    private var lastCall: UInt64 = 0
    private var callbacks: [DBusCallback] = []
    private var hasEnded = false
    /// Work that is posted after the loop has stopped would never run, and its caller would wait for ever.
    private let isClosed = Mutex(false)
    private var isTurning = false

    /// Calls that wait for a reply at the same time.
    private static let pendingMax = 256
    /// Messages that are handled before other work on the thread has its turn.
    private static let turnMax = 64
    /// How long closing waits until what was sent is on its way; a bus that has become silent delays it no longer.
    private static let flushMs: Int64 = 1_000

    /// Begins to connect and returns at once; calls wait until the connection stands.
    ///
    /// `onEnd` is called once, on this connection's own thread, when it has ended for another reason than `close`. With
    /// `isMonitor` the connection is for `becomeMonitor` and nothing else.
    package init(
        address: String,
        isMonitor: Bool = false,
        onEnd: @escaping @Sendable (Problem) -> Void = { _ in }
    ) throws(Problem) {
        self.onEnd = onEnd
        do {
            loop = try LoopThread(name: "dbus") { DBusWaiter() }
        } catch {
            throw Problem(error)
        }
        loop.post { self.open(address, isMonitor) }
    }

    /// Runs `work` on the connection's thread; once the connection is closed, `otherwise` here instead.
    private func perform(_ work: @escaping @Sendable () -> Void, otherwise: () -> Void) {
        let isOpen = isClosed.withLock { isClosed in
            if !isClosed { loop.post(work) }
            return !isClosed
        }
        if !isOpen { otherwise() }
    }

    // MARK: - Asking

    /// Calls a method, and returns what the other side replies.
    package func call(_ call: DBusCall, withinMs deadlineMs: Int64) async throws -> [DBusValue] {
        try await withCheckedThrowingContinuation { continuation in
            perform {
                self.start(call, deadlineMs) { continuation.resume(with: $0) }
            } otherwise: {
                continuation.resume(throwing: Self.notConnected)
            }
        }
    }

    /// The same for callers that are not tasks; `done` is called on the connection's thread, or here if that has ended.
    package func call(
        _ call: DBusCall,
        withinMs deadlineMs: Int64,
        _ done: @escaping @Sendable (Result<[DBusValue], Problem>) -> Void
    ) {
        perform {
            self.start(call, deadlineMs, done)
        } otherwise: {
            done(.failure(Self.notConnected))
        }
    }

    private func start(
        _ call: DBusCall,
        _ deadlineMs: Int64,
        _ done: @escaping (Result<[DBusValue], Problem>) -> Void
    ) {
        guard let bus else { return done(.failure(Self.notConnected)) }
        guard pending.count < Self.pendingMax else {
            return done(
                .failure(
                    Problem("dbus.busy", "Too many D-Bus calls are waiting for a reply.", retryable: true)
                )
            )
        }
        do {
            var made: OpaquePointer?
            let code = sd_bus_message_new_method_call(
                bus,
                &made,
                call.destination,
                call.path,
                call.interface,
                call.member
            )
            try DBusWriter.check(code, "new_method_call")
            guard let message = made else { return done(.failure(Self.notConnected)) }
            defer { sd_bus_message_unref(message) }
            try DBusWriter(message: message).append(call.arguments)
            lastCall += 1
            let waiting = DBusPendingCall(id: lastCall, bus: self, done: done)
            let sent = sd_bus_call_async(
                bus,
                &waiting.slot,
                message,
                DBusPendingCall.onReply,
                waiting.pointer,
                .max
            )
            guard sent >= 0 else { return done(.failure(Self.notConnected)) }
            pending[waiting.id] = waiting
            waiting.timer = loop.after(milliseconds: deadlineMs) { [weak waiting] in
                waiting?.finish(
                    .failure(
                        Problem(
                            "dbus.no_reply",
                            "\(call.destination, "destination") did not reply within \(deadlineMs, "deadline") ms.",
                            key: "dbus.no_reply.did-not-reply"
                        )
                    )
                )
            }
        } catch {
            done(.failure(error))
        }
    }

    /// For a call that has come to its end.
    func forget(_ call: DBusPendingCall) {
        pending[call.id] = nil
        if let timer = call.timer { loop.cancelTimer(timer) }
        call.release()
    }

    // MARK: - Listening

    /// Hears signals that match a rule such as `type='signal',member='NameOwnerChanged'`, from when this has returned.
    ///
    /// `heard` is called on the connection's own thread, in the order of the signals.
    package func match(
        _ rule: String,
        withinMs deadlineMs: Int64,
        _ heard: @escaping @Sendable (DBusMessage) -> Void
    ) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            perform {
                self.listen(rule) {
                    continuation.resume(with: $0)
                } heard: {
                    heard($0)
                }
            } otherwise: {
                continuation.resume(throwing: Self.notConnected)
            }
        }
        // The bus answers in order: once it has answered this, it knows the rule.
        let bus = "org.freedesktop.DBus"
        _ = try await call(.init(bus, "/org/freedesktop/DBus", bus, "GetId"), withinMs: deadlineMs)
    }

    private func listen(
        _ rule: String,
        _ done: (Result<Void, any Error>) -> Void,
        heard: @escaping (DBusMessage) -> Void
    ) {
        guard let bus else { return done(.failure(Self.notConnected)) }
        let listener = DBusListener(heard)
        let code = sd_bus_add_match_async(
            bus,
            &listener.slot,
            rule,
            DBusListener.onSignal,
            nil,
            listener.pointer
        )
        guard code >= 0 else {
            return done(
                .failure(Problem("dbus.bad_rule", "The bus rejected the match rule \(rule, "rule")."))
            )
        }
        callbacks.append(listener)
        done(.success(()))
    }

    // MARK: - Listening to calls between other programs

    /// Hears every message between others that matches one of the rules, from when this has returned.
    ///
    /// Only for a connection with `isMonitor`: the bus lets it do nothing else any more. `heard` runs on the connection's own
    /// thread; it may read the message while it runs, and must not keep it. Throws `dbus.refused` where the bus allows
    /// no monitors.
    package func becomeMonitor(
        rules: [String],
        withinMs deadlineMs: Int64,
        _ heard: @escaping @Sendable (DBusOverheard) -> Void
    ) async throws {
        let monitor = DBusMonitor(heard)
        try await with { bus throws(Problem) in
            let code = sd_bus_add_filter(bus, &monitor.slot, DBusMonitor.onMessage, monitor.pointer)
            try DBusWriter.check(code, "add_filter")
            self.callbacks.append(monitor)
        }
        let bus = "org.freedesktop.DBus"
        let call = DBusCall(
            bus,
            "/org/freedesktop/DBus",
            "\(bus).Monitoring",
            "BecomeMonitor",
            [.strings(rules), .uint32(0)]
        )
        _ = try await self.call(call, withinMs: deadlineMs)
    }

    // MARK: - Offering something to other programs

    /// Takes a well-known name; throws when another program has it.
    package func requestName(_ name: String, withinMs deadlineMs: Int64) async throws {
        let bus = "org.freedesktop.DBus"
        // 4: do not wait in a queue for it.
        let arguments: [DBusValue] = [.string(name), .uint32(4)]
        let reply = try await call(
            .init(bus, "/org/freedesktop/DBus", bus, "RequestName", arguments),
            withinMs: deadlineMs
        )
        guard let answer = reply.first?.number, answer == 1 || answer == 4 else {
            throw Problem(
                "dbus.name_taken",
                "Another program already owns the name \(name, "name") on this bus."
            )
        }
    }

    /// Answers calls to one object, or to all below it too; nil from `answer` sends no reply at all.
    ///
    /// `answer` runs on the connection's own thread.
    package func serve(
        path: String,
        andBelow isPrefix: Bool = false,
        _ answer: @escaping @Sendable (DBusMessage) -> Result<[DBusValue], Problem>?
    ) async throws {
        let object = DBusObject(answer)
        try await with { bus throws(Problem) in
            let add = isPrefix ? sd_bus_add_fallback : sd_bus_add_object
            try DBusWriter.check(
                add(bus, &object.slot, path, DBusObject.onCall, object.pointer),
                "add_object"
            )
            self.callbacks.append(object)
        }
    }

    /// The name by which others know this connection, such as `:1.42`.
    package func uniqueName() async throws -> String {
        try await with { bus throws(Problem) in
            var name: UnsafePointer<CChar>?
            try DBusWriter.check(sd_bus_get_unique_name(bus, &name), "get_unique_name")
            guard let name else { throw Self.notConnected }
            return String(cString: name)
        }
    }

    package func emit(path: String, _ interface: String, _ member: String, _ arguments: [DBusValue])
        async throws
    {
        try await with { bus throws(Problem) in
            var made: OpaquePointer?
            let code = sd_bus_message_new_signal(bus, &made, path, interface, member)
            try DBusWriter.check(code, "new_signal")
            guard let message = made else { return }
            defer { sd_bus_message_unref(message) }
            try DBusWriter(message: message).append(arguments)
            try DBusWriter.check(sd_bus_send(bus, message, nil), "send")
        }
    }

    // MARK: - Closing

    /// Ends the connection and its thread; calls that wait end with `dbus.no_reply`.
    ///
    /// Never from the connection's own thread.
    package func close() {
        stop()
        loop.join()
    }

    /// The same without waiting for it, for threads that others need.
    package func drop() {
        stop()
        loop.letGo()
    }

    private func stop() {
        isClosed.withLock { isClosed in
            guard !isClosed else { return }
            isClosed = true
            loop.post {
                self.tearDown(
                    Problem(
                        "dbus.no_reply",
                        "The D-Bus connection was closed.",
                        key: "dbus.no_reply.the-d-bus"
                    )
                )
            }
        }
        loop.stop()
    }

    /// Sends off what is written already, as long as the bus reads it.
    ///
    /// The library's own flush has no end: it also waits for the login, which a silent bus never answers.
    private static func flushAndClose(_ bus: OpaquePointer) {
        let endMs = Stopwatch.milliseconds() + flushMs
        while sd_bus_is_ready(bus) > 0, sd_bus_get_events(bus) & POLLOUT != 0 {
            let leftMs = endMs - Stopwatch.milliseconds()
            guard leftMs > 0 else { break }
            var item = pollfd(fd: sd_bus_get_fd(bus), events: Int16(POLLOUT), revents: 0)
            guard poll(&item, 1, Int32(clamping: leftMs)) > 0, sd_bus_process(bus, nil) >= 0 else { break }
        }
        sd_bus_close_unref(bus)
    }

    // MARK: - The connection, on its own thread

    private func open(_ address: String, _ isMonitor: Bool) {
        var made: OpaquePointer?
        var code = sd_bus_new(&made)
        if code >= 0 { code = sd_bus_set_address(made, address) }
        if code >= 0 { code = sd_bus_set_bus_client(made, 1) }
        if code >= 0, isMonitor { code = sd_bus_set_monitor(made, 1) }
        if code >= 0 { code = sd_bus_start(made) }
        guard code >= 0, let made else {
            if let made { sd_bus_unref(made) }
            return tearDown(Self.unreachable(address, -code))
        }
        bus = made
        guard let waiter = loop.currentWaiter as? DBusWaiter else { return }
        waiter.bus = made
        waiter.turn = { [weak self, weak waiter] in
            // The owner dropped it without closing it: the thread is not woken for it any more.
            guard let self else {
                waiter?.bus = nil
                return
            }
            turn()
        }
    }

    private func turn() {
        guard let bus, !isTurning else { return }
        isTurning = true
        defer { isTurning = false }
        var code: Int32 = 1
        // A program that floods the bus must not delay our own calls: the rest has its turn after those.
        var left = Self.turnMax
        while code > 0, left > 0 {
            code = sd_bus_process(bus, nil)
            left -= 1
        }
        guard code < 0 || sd_bus_is_open(bus) <= 0 else { return }
        tearDown(
            Problem("dbus.not_connected", "The bus has closed the connection.", retryable: true)
        )
    }

    private func tearDown(_ problem: Problem) {
        guard !hasEnded else { return }
        hasEnded = true
        (loop.currentWaiter as? DBusWaiter)?.bus = nil
        let ended = Problem(
            "dbus.no_reply",
            "The D-Bus connection ended before the reply came.",
            key: "dbus.no_reply.the-d-bus-connection"
        )
        for call in pending.values { call.finish(.failure(ended)) }
        for callback in callbacks { callback.release() }
        callbacks = []
        if let bus { Self.flushAndClose(bus) }
        bus = nil
        if problem.code == "dbus.not_connected" || problem.code == "dbus.unreachable" { onEnd(problem) }
    }

    /// Runs `work` with sd-bus's connection, on its thread.
    private func with<T: Sendable>(_ work: @escaping @Sendable (OpaquePointer) throws(Problem) -> T)
        async throws -> T
    {
        try await withCheckedThrowingContinuation { continuation in
            perform {
                guard let bus = self.bus else { return continuation.resume(throwing: Self.notConnected) }
                do {
                    continuation.resume(returning: try work(bus))
                } catch {
                    continuation.resume(throwing: error)
                }
            } otherwise: {
                continuation.resume(throwing: Self.notConnected)
            }
        }
    }

    // MARK: - Problems

    private static let notConnected = Problem(
        "dbus.not_connected",
        "There is no connection to the bus.",
        key: "dbus.not_connected.there-is-no",
        retryable: true
    )

    private static func unreachable(_ address: String, _ number: Int32) -> Problem {
        Problem(
            "dbus.unreachable",
            """
            The bus at \(address, "address") cannot be reached: \
            \(String(cString: strerror(number)), "reason").
            """,
            retryable: true
        )
    }
}
