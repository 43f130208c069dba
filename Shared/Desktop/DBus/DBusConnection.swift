import Glibc
import STCSystemd
package import STPlatform
import Synchronization

/// One connection to a D-Bus bus, on a thread of its own.
package final class DBusConnection: @unchecked Sendable {
    // @unchecked: everything but the thread is touched on that thread only.
    let loop: LoopThread
    private let onEnd: @Sendable (Problem) -> Void
    private var bus: OpaquePointer?
    private var pending: [UInt64: DBusPendingCall] = [:]
    private var lastCall: UInt64 = 0
    private var listeners: [Listener] = []
    private var hasEnded = false
    /// What is posted after the loop has stopped would never run, and whoever waits for it would wait for ever.
    let isClosed = Mutex(false)
    private var isTurning = false

    /// Calls that wait for a reply at the same time.
    private static let pendingMax = 256
    /// Messages that are taken before whatever else waits on the thread.
    private static let turnMax = 64

    /// Begins to connect and returns at once; calls wait until the connection stands.
    ///
    /// `onEnd` is called once, on this connection's own thread, when it has ended for another reason than `close`.
    ///
    /// With `isMonitor` it is for `becomeMonitor` and nothing else.
    package init(
        address: String,
        isMonitor: Bool = false,
        onEnd: @escaping @Sendable (Problem) -> Void = { _ in }
    ) throws(Problem) {
        self.onEnd = onEnd
        do {
            loop = try LoopThread(name: "dbus") { DBusWaiter() }
        } catch {
            throw (error as? Problem) ?? Problem("internal", "\(error)")
        }
        loop.post { self.open(address, isMonitor) }
    }

    /// On the connection's thread, or the other one here when that has been told to end.
    private func perform(_ work: @escaping @Sendable () -> Void, otherwise: () -> Void) {
        let isOpen = isClosed.withLock { isClosed in
            if !isClosed { loop.post(work) }
            return !isClosed
        }
        if !isOpen { otherwise() }
    }

    // MARK: - Asking

    /// What the other side replies.
    package func call(_ call: DBusCall, withinMs deadlineMs: Int64) async throws -> [DBusValue] {
        try await withCheckedThrowingContinuation { continuation in
            perform {
                self.start(call, deadlineMs) { continuation.resume(with: $0) }
            } otherwise: {
                continuation.resume(throwing: Self.notConnected)
            }
        }
    }

    /// The same for whoever waits by other means than a task; `done` is called on the connection's thread, or here when
    /// that has ended.
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
                .failure(Problem("dbus.busy", "Too many calls wait for the desktop.", retryable: true))
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
                Self.onReply,
                Unmanaged.passUnretained(waiting).toOpaque(),
                .max
            )
            guard sent >= 0 else { return done(.failure(Self.notConnected)) }
            pending[waiting.id] = waiting
            waiting.timer = loop.after(milliseconds: deadlineMs) { [weak waiting] in
                waiting?.finish(
                    .failure(
                        Problem("dbus.no_reply", "\(call.destination) did not reply within \(deadlineMs) ms.")
                    )
                )
            }
        } catch {
            done(.failure(error))
        }
    }

    private static let onReply: sd_bus_message_handler_t = { message, userdata, _ in
        guard let message, let userdata else { return 0 }
        Unmanaged<DBusPendingCall>.fromOpaque(userdata).takeUnretainedValue().take(message)
        return 0
    }

    /// Called by a call that has come to its end.
    func forget(_ call: DBusPendingCall) {
        pending[call.id] = nil
        if let timer = call.timer { loop.cancelTimer(timer) }
        if let slot = call.slot { sd_bus_slot_unref(slot) }
        call.slot = nil
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
        let listener = Listener(heard: heard)
        let code = sd_bus_add_match_async(
            bus,
            &listener.slot,
            rule,
            Self.onSignal,
            nil,
            Unmanaged.passUnretained(listener).toOpaque()
        )
        guard code >= 0 else {
            return done(.failure(Problem("dbus.bad_rule", "The bus takes no rule such as \(rule).")))
        }
        listeners.append(listener)
        done(.success(()))
    }

    private static let onSignal: sd_bus_message_handler_t = { message, userdata, _ in
        guard let message, let userdata, let signal = try? DBusConnection.read(message) else { return 0 }
        Unmanaged<Listener>.fromOpaque(userdata).takeUnretainedValue().heard(signal)
        return 0
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
            // Whoever forgot to close it is not woken for it any more.
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
        // Whoever floods the bus does not keep us from our own calls: the rest has its turn after those.
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

    func tearDown(_ problem: Problem) {
        guard !hasEnded else { return }
        hasEnded = true
        (loop.currentWaiter as? DBusWaiter)?.bus = nil
        let ended = Problem(
            "dbus.no_reply",
            "The connection to the desktop ended before it replied."
        )
        for call in pending.values { call.finish(.failure(ended)) }
        for listener in listeners {
            if let slot = listener.slot { sd_bus_slot_unref(slot) }
            listener.owner = nil
        }
        listeners = []
        if let bus { Self.closeConnection(bus) }
        bus = nil
        if problem.code == "dbus.not_connected" || problem.code == "dbus.unreachable" { onEnd(problem) }
    }

    /// Runs something with the connection on its thread; for what else one can do with it.
    func with<T: Sendable>(_ work: @escaping @Sendable (OpaquePointer) throws(Problem) -> T) async throws -> T
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

    /// On the connection's own thread.
    func keep(_ listener: Listener) { listeners.append(listener) }

    // How a connection ends; a bus that has become silent holds nobody up for longer than `flushMs`.

    private static let flushMs: Int64 = 1_000

    /// Ends the connection and its thread; calls that wait are answered with `dbus.no_reply`.
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
            // Whatever is posted to a loop that has ended stays there for good.
            guard !isClosed else { return }
            isClosed = true
            loop.post { self.tearDown(Problem("dbus.no_reply", "The connection to the desktop was closed.")) }
        }
        loop.stop()
    }

    /// What is written already is sent off where somebody reads it.
    ///
    /// The library's own flush waits for the login too, which a silent bus never answers, and has no end.
    static func closeConnection(_ bus: OpaquePointer) {
        let endMs = Stopwatch.milliseconds() + flushMs
        while sd_bus_is_ready(bus) > 0, sd_bus_get_events(bus) & POLLOUT != 0 {
            let leftMs = endMs - Stopwatch.milliseconds()
            guard leftMs > 0 else { break }
            var item = pollfd(fd: sd_bus_get_fd(bus), events: Int16(POLLOUT), revents: 0)
            guard poll(&item, 1, Int32(clamping: leftMs)) > 0, sd_bus_process(bus, nil) >= 0 else { break }
        }
        sd_bus_close_unref(bus)
    }

    // To look at what others say to each other, where the bus allows it.

    /// Hears every message between others that matches one of the rules, from when this has returned.
    ///
    /// For a connection that was made for it: nothing else can be done with it any more. `heard` runs on the
    /// connection's own thread and is given a message that it may read while it runs, and not keep. Throws
    /// `dbus.refused` where the bus does not let anybody look.
    package func becomeMonitor(
        rules: [String],
        withinMs deadlineMs: Int64,
        _ heard: @escaping @Sendable (DBusOverheard) -> Void
    ) async throws {
        let seen = Seen(heard)
        seen.listener.owner = seen
        try await with { bus throws(Problem) in
            let code = sd_bus_add_filter(
                bus,
                &seen.listener.slot,
                Seen.onMessage,
                Unmanaged.passUnretained(seen).toOpaque()
            )
            try DBusWriter.check(code, "add_filter")
            self.keep(seen.listener)
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

    // The other side: to be somebody whom others call.

    /// Takes a well-known name; throws when somebody else has it.
    package func requestName(_ name: String, withinMs deadlineMs: Int64) async throws {
        let bus = "org.freedesktop.DBus"
        // 4: do not wait in a queue for it.
        let arguments: [DBusValue] = [.string(name), .uint32(4)]
        let reply = try await call(
            .init(bus, "/org/freedesktop/DBus", bus, "RequestName", arguments),
            withinMs: deadlineMs
        )
        guard let answer = reply.first?.number, answer == 1 || answer == 4 else {
            throw Problem("dbus.name_taken", "Somebody else is \(name) on this bus.")
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
        let served = Served(answer)
        served.listener.owner = served
        try await with { bus throws(Problem) in
            let add = isPrefix ? sd_bus_add_fallback : sd_bus_add_object
            let code = add(
                bus,
                &served.slot,
                path,
                Served.onCall,
                Unmanaged.passUnretained(served).toOpaque()
            )
            try DBusWriter.check(code, "add_object")
            self.keep(served.listener)
        }
    }

    /// Under which others know this connection, such as `:1.42`.
    package func uniqueName() async throws -> String {
        try await with { bus throws(Problem) in
            var name: UnsafePointer<CChar>?
            try DBusWriter.check(sd_bus_get_unique_name(bus, &name), "get_unique_name")
            guard let name else { throw DBusConnection.notConnected }
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

    static func read(_ message: OpaquePointer) throws(Problem) -> DBusMessage {
        func text(_ value: UnsafePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }
        return DBusMessage(
            sender: text(sd_bus_message_get_sender(message)),
            path: text(sd_bus_message_get_path(message)),
            interface: text(sd_bus_message_get_interface(message)),
            member: text(sd_bus_message_get_member(message)),
            arguments: try DBusReader.values(of: message)
        )
    }

    /// Something that sd-bus calls back with a pointer to it; kept for as long as the connection.
    final class Listener {
        let heard: (DBusMessage) -> Void
        var slot: OpaquePointer?
        /// Kept with it, until the connection ends.
        var owner: AnyObject?

        init(heard: @escaping (DBusMessage) -> Void = { _ in }) { self.heard = heard }
    }

    // What goes wrong with a connection.

    static let notConnected = Problem(
        "dbus.not_connected",
        "There is no connection to the bus.",
        retryable: true
    )

    static func unreachable(_ address: String, _ number: Int32) -> Problem {
        Problem(
            "dbus.unreachable",
            "The bus at \(address) cannot be reached: \(String(cString: strerror(number))).",
            retryable: true
        )
    }
}

/// A filter that sd-bus calls with whatever comes.
private final class Seen: @unchecked Sendable {
    // @unchecked: touched on the connection's thread only.
    private let heard: @Sendable (DBusOverheard) -> Void
    let listener = DBusConnection.Listener()

    init(_ heard: @escaping @Sendable (DBusOverheard) -> Void) { self.heard = heard }

    /// Says of everything that it is dealt with: sd-bus would answer calls between others, and be thrown out for it.
    static let onMessage: sd_bus_message_handler_t = { message, userdata, _ in
        guard let message, let userdata, sd_bus_message_is_method_call(message, nil, nil) > 0 else {
            return 1
        }
        Unmanaged<Seen>.fromOpaque(userdata).takeUnretainedValue().heard(DBusOverheard(message))
        return 1
    }
}

/// An object that is called by others.
private final class Served: @unchecked Sendable {
    // @unchecked: touched on the connection's thread only.
    var slot: OpaquePointer? {
        get { listener.slot }
        set { listener.slot = newValue }
    }
    private let answer: @Sendable (DBusMessage) -> Result<[DBusValue], Problem>?
    let listener = DBusConnection.Listener()

    init(_ answer: @escaping @Sendable (DBusMessage) -> Result<[DBusValue], Problem>?) {
        self.answer = answer
    }

    static let onCall: sd_bus_message_handler_t = { message, userdata, _ in
        guard let message, let userdata, let call = try? DBusConnection.read(message) else { return 0 }
        let served = Unmanaged<Served>.fromOpaque(userdata).takeUnretainedValue()
        guard let result = served.answer(call) else { return 1 }
        return Served.reply(to: message, result)
    }

    private static func reply(to call: OpaquePointer, _ result: Result<[DBusValue], Problem>) -> Int32 {
        var made: OpaquePointer?
        switch result {
        case .success(let values):
            guard sd_bus_message_new_method_return(call, &made) >= 0, let message = made else { return 1 }
            defer { sd_bus_message_unref(message) }
            guard (try? DBusWriter(message: message).append(values)) != nil else { return 1 }
            sd_bus_send(nil, message, nil)
        case .failure(let problem):
            let name = problem.details["name"] ?? "org.freedesktop.DBus.Error.Failed"
            var error = sd_bus_error()
            defer { sd_bus_error_free(&error) }
            sd_bus_error_set(&error, name, problem.message)
            guard sd_bus_message_new_method_error(call, &made, &error) >= 0, let message = made else {
                return 1
            }
            sd_bus_send(nil, message, nil)
            sd_bus_message_unref(message)
        }
        return 1
    }
}
