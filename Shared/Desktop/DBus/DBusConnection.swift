import Glibc
import STCSystemd
package import STPlatform
import Synchronization

/// A connection to a D-Bus bus, with its own thread.
package final class DBusConnection: @unchecked Sendable {
    // @unchecked: everything except the thread is used on that thread only.
    private let loop: LoopThread
    private let onEnd: @Sendable (Problem) -> Void
    private var bus: OpaquePointer?
    private var pending: [UInt64: DBusPendingCall] = [:]
    private var lastCall: UInt64 = 0
    private var callbacks: [DBusCallback] = []
    private var hasEnded = false
    /// Prevents posts after the loop has stopped, because they would never run, and their callers would wait forever.
    private let isClosed = Mutex(false)
    private var isProcessing = false

    /// Upper bound on calls that wait for a reply at the same time.
    private static let pendingMax = 256
    /// Upper bound on messages that are handled before other work on the thread.
    private static let messagesPerTurnMax = 64
    /// Time limit for sending queued messages while closing. It bounds the delay if the bus does not respond.
    private static let flushTimeout = Duration.seconds(1)

    /// Starts to connect and returns immediately. Calls wait until the connection is established.
    ///
    /// `onEnd` is called once, on the connection's own thread, if the connection ends for a reason other than `close`. A connection
    /// with `isMonitor` can only be used for `becomeMonitor`.
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

    /// Runs `work` on the connection's thread. Calls `otherwise` instead, on the current thread, if the connection is closed.
    private func perform(_ work: @escaping @Sendable () -> Void, otherwise: () -> Void) {
        let isOpen = isClosed.withLock { isClosed in
            if !isClosed { loop.post(work) }
            return !isClosed
        }
        if !isOpen { otherwise() }
    }

    // MARK: - Calls

    /// Calls a method and returns the values of the reply.
    package func call(_ call: DBusCall, withinMs deadlineMs: Int64) async throws -> [DBusValue] {
        try await withCheckedThrowingContinuation { continuation in
            perform {
                self.start(call, timeout: .milliseconds(deadlineMs)) { continuation.resume(with: $0) }
            } otherwise: {
                continuation.resume(throwing: Self.notConnected)
            }
        }
    }

    /// Calls a method from code outside of tasks.
    /// `done` runs on the connection's thread, or on the current thread if the connection is closed.
    package func call(
        _ call: DBusCall,
        withinMs deadlineMs: Int64,
        _ done: @escaping @Sendable (Result<[DBusValue], Problem>) -> Void
    ) {
        perform {
            self.start(call, timeout: .milliseconds(deadlineMs), done: done)
        } otherwise: {
            done(.failure(Self.notConnected))
        }
    }

    private func start(
        _ call: DBusCall,
        timeout: Duration,
        done: @escaping (Result<[DBusValue], Problem>) -> Void
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
            waiting.timer = loop.after(milliseconds: timeout.ms) { [weak waiting] in
                waiting?.finish(
                    .failure(
                        Problem(
                            "dbus.no_reply",
                            "\(call.destination, "destination") did not reply within \(timeout.ms, "deadline") ms.",
                            key: "dbus.no_reply.did-not-reply"
                        )
                    )
                )
            }
        } catch {
            done(.failure(error))
        }
    }

    /// Removes a call that has ended.
    func removePending(_ call: DBusPendingCall) {
        pending[call.id] = nil
        if let timer = call.timer { loop.cancelTimer(timer) }
        call.release()
    }

    // MARK: - Signals

    /// Subscribes to signals that match a rule such as `type='signal',member='NameOwnerChanged'`.
    ///
    /// The rule is in effect when the call returns. `heard` is called on the connection's own thread, in the order of the signals.
    package func match(
        _ rule: String,
        withinMs deadlineMs: Int64,
        _ heard: @escaping @Sendable (DBusMessage) -> Void
    ) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            perform {
                self.addMatch(rule) {
                    continuation.resume(with: $0)
                } heard: {
                    heard($0)
                }
            } otherwise: {
                continuation.resume(throwing: Self.notConnected)
            }
        }
        // The bus handles messages in order. So the rule is in effect once the bus has replied to this call.
        let bus = "org.freedesktop.DBus"
        _ = try await call(
            .init(bus, path: "/org/freedesktop/DBus", interface: bus, member: "GetId"),
            withinMs: deadlineMs
        )
    }

    private func addMatch(
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

    // MARK: - Calls between other programs

    /// Subscribes to all messages between other programs that match one of the rules.
    ///
    /// The rules are in effect when the call returns. The connection must have been created with `isMonitor`. Afterwards, the bus
    /// permits it nothing else. `heard` runs on the connection's own thread and must not keep the message. Throws `dbus.refused` if
    /// the bus allows no monitors.
    package func becomeMonitor(
        rules: [String],
        withinMs deadlineMs: Int64,
        _ heard: @escaping @Sendable (DBusMonitoredMessage) -> Void
    ) async throws {
        let monitor = DBusMonitor(heard)
        try await withBus { bus throws(Problem) in
            let code = sd_bus_add_filter(bus, &monitor.slot, DBusMonitor.onMessage, monitor.pointer)
            try DBusWriter.check(code, "add_filter")
            self.callbacks.append(monitor)
        }
        let bus = "org.freedesktop.DBus"
        let call = DBusCall(
            bus,
            path: "/org/freedesktop/DBus",
            interface: "\(bus).Monitoring",
            member: "BecomeMonitor",
            arguments: [.strings(rules), .uint32(0)]
        )
        _ = try await self.call(call, withinMs: deadlineMs)
    }

    // MARK: - Objects for other programs

    /// Requests a well-known name. Throws if another program owns it.
    package func requestName(_ name: String, withinMs deadlineMs: Int64) async throws {
        let bus = "org.freedesktop.DBus"
        // 4: do not queue for the name.
        let arguments: [DBusValue] = [.string(name), .uint32(4)]
        let reply = try await call(
            .init(
                bus,
                path: "/org/freedesktop/DBus",
                interface: bus,
                member: "RequestName",
                arguments: arguments
            ),
            withinMs: deadlineMs
        )
        guard let answer = reply.first?.number, answer == 1 || answer == 4 else {
            throw Problem(
                "dbus.name_taken",
                "Another program already owns the name \(name, "name") on this bus."
            )
        }
    }

    /// Answers calls to one object, or also to all objects below it. If `answer` returns `nil`, no reply is sent.
    ///
    /// `answer` runs on the connection's own thread.
    package func serve(
        path: String,
        andBelow isPrefix: Bool = false,
        _ answer: @escaping @Sendable (DBusMessage) -> Result<[DBusValue], Problem>?
    ) async throws {
        let object = DBusObject(answer)
        try await withBus { bus throws(Problem) in
            let add = isPrefix ? sd_bus_add_fallback : sd_bus_add_object
            try DBusWriter.check(
                add(bus, &object.slot, path, DBusObject.onCall, object.pointer),
                "add_object"
            )
            self.callbacks.append(object)
        }
    }

    /// Returns the unique name of this connection on the bus, such as `:1.42`.
    package func uniqueName() async throws -> String {
        try await withBus { bus throws(Problem) in
            var name: UnsafePointer<CChar>?
            try DBusWriter.check(sd_bus_get_unique_name(bus, &name), "get_unique_name")
            guard let name else { throw Self.notConnected }
            return String(cString: name)
        }
    }

    package func emit(path: String, _ interface: String, member: String, arguments: [DBusValue])
        async throws
    {
        try await withBus { bus throws(Problem) in
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

    /// Ends the connection and its thread. Waiting calls end with `dbus.no_reply`.
    ///
    /// Must not be called from the connection's own thread.
    package func close() {
        stop()
        loop.join()
    }

    /// Ends the connection without waiting for its thread, for callers that must not block.
    package func closeWithoutFlush() {
        stop()
        loop.abandon()
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

    /// Sends what is queued, as long as the bus reads it.
    ///
    /// The library's own flush has no time limit. It also waits for the login, which an unresponsive bus never completes.
    private static func flushAndClose(_ bus: OpaquePointer) {
        let endMs = Stopwatch.milliseconds() + flushTimeout.ms
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
        waiter.onTurn = { [weak self, weak waiter] in
            // The owner released the connection without closing it, so the thread stops waking up for it.
            guard let self else {
                waiter?.bus = nil
                return
            }
            processMessages()
        }
    }

    private func processMessages() {
        guard let bus, !isProcessing else { return }
        isProcessing = true
        defer { isProcessing = false }
        var code: Int32 = 1
        // A program that floods the bus must not delay our own calls, so the remaining messages are handled after them.
        var left = Self.messagesPerTurnMax
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

    /// Runs `work` with the connection of sd-bus, on its thread.
    private func withBus<T: Sendable>(_ work: @escaping @Sendable (OpaquePointer) throws(Problem) -> T)
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
