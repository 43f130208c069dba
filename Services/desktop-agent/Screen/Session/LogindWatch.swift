import Glibc
import STDBus
import STPlatform

/// Watches logind for the state of the session, sleep and idle inhibitors.
actor LogindWatch {
    static let name = "org.freedesktop.login1"
    static let manager = "org.freedesktop.login1.Manager"
    static let root = "/org/freedesktop/login1"
    static let sessionInterface = "org.freedesktop.login1.Session"
    static let timeout = Duration.seconds(5)
    /// Time that the last state stays valid after logind or the bus has gone. Usually they return immediately.
    private static let grace = Duration.seconds(30)
    /// Minimum time between two requests for the inhibitors, however often they change.
    private static let pause = Duration.milliseconds(250)

    private let thread: LoopThread
    private let onEvent: @Sendable (SessionEvent) -> Void
    private let finder: SessionFinder
    private let sleep: SleepDelay
    private var bus: DBusConnection?
    private var inbox: SignalInbox?
    private var matched: Set<String> = []
    /// Number of the current round of requests, so that an older reply does not overwrite a newer one.
    private var round = 0
    private var graceTimer: UInt64?
    private var isRefreshing = false
    private var needsRefresh = false
    private var isLocked = false
    private var isActiveSession = true
    private var isAsleep = false
    private(set) var session: LoginSession?
    /// The reason that the bus connection ended last, or could not be opened.
    private(set) var busProblem = "It is not known yet."
    private var inhibitors: [IdleInhibitor] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(
        _ thread: LoopThread,
        environment: [String: String],
        pid: Int32,
        uid: UInt32,
        beforeSleep: @escaping @Sendable () async -> Void,
        _ tell: @escaping @Sendable (SessionEvent) -> Void
    ) {
        self.thread = thread
        self.onEvent = tell
        finder = SessionFinder(environment: environment, pid: pid, uid: uid)
        sleep = SleepDelay(thread, before: beforeSleep)
    }

    // MARK: - The connection

    func connectionDidOpen(_ bus: DBusConnection) async throws {
        self.bus = bus
        matched = []
        let inbox = SignalInbox(thread) { [weak self] batch in
            self?.assumeIsolated { $0.handle(batch, bus) }
        }
        self.inbox = inbox
        let owner =
            "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(Self.name)'"
        try await bus.match(owner, withinMs: Self.timeout.ms) { inbox.append($0) }
        let ours = "type='signal',sender='\(Self.name)'"
        for member in ["PrepareForSleep", "SessionNew", "SessionRemoved"] {
            try await bus.match(
                "\(ours),interface='\(Self.manager)',path='\(Self.root)',member='\(member)'",
                withinMs: Self.timeout.ms
            ) { inbox.append($0) }
        }
        try await bus.match(
            "\(ours),interface='org.freedesktop.DBus.Properties',path='\(Self.root)',arg0='\(Self.manager)'",
            withinMs: Self.timeout.ms
        ) { inbox.append($0) }
        await refreshAll(bus)
    }

    func connectionDidClose(_ problem: Problem) async {
        bus = nil
        inbox = nil
        busProblem = problem.message
        await reset()
    }

    func close() async {
        if let graceTimer { thread.cancelTimer(graceTimer) }
        graceTimer = nil
        bus = nil
        await sleep.release()
    }

    /// Discards the session and its inhibitors. The other values stay valid for `grace`.
    private func reset() async {
        round += 1
        session = nil
        setInhibitors([], at: Stopwatch.bootTime())
        await sleep.release()
        guard graceTimer == nil, isLocked || !isActiveSession || isAsleep else { return }
        graceTimer = thread.after(milliseconds: Self.grace.ms) { [weak self] in
            self?.assumeIsolated { $0.handleGraceEnd() }
        }
    }

    private func handleGraceEnd() {
        graceTimer = nil
        let now = Stopwatch.bootTime()
        set(locked: false, at: now)
        setActive(inFront: true, at: now)
        set(asleep: false, at: now)
    }

    // MARK: - Requests

    /// Finds the session and queries its state.
    private func refreshAll(_ bus: DBusConnection) async {
        round += 1
        let round = round
        do {
            guard let found = try await finder.find(bus) else {
                if round == self.round { await reset() }
                return
            }
            guard round == self.round, self.bus === bus else { return }
            try await follow(found.path, bus)
            guard round == self.round, self.bus === bus else { return }
            session = found
            // The request follows the match rules, so that every later change arrives as a signal or is in the reply.
            let hints = try await Self.properties(bus, path: found.path, interface: Self.sessionInterface)
            let state = try await Self.properties(bus, path: Self.root, interface: Self.manager)
            guard round == self.round, self.bus === bus else { return }
            let now = Stopwatch.bootTime()
            set(locked: hints["LockedHint"]?.flag ?? false, at: now)
            setActive(inFront: hints["Active"]?.flag ?? true, at: now)
            set(asleep: state["PreparingForSleep"]?.flag ?? false, at: now)
            if let graceTimer { thread.cancelTimer(graceTimer) }
            graceTimer = nil
            await sleep.acquire(bus)
            inhibitorsChanged()
        } catch {
            guard round == self.round else { return }
            await reset()
            guard Problem(error).code == "dbus.no_reply" else { return }
            // logind hangs or is starting. No signal would cause another request, so it is repeated after a delay.
            let after = self.round
            thread.after(milliseconds: Self.grace.ms) { [weak self] in
                self?.assumeIsolated { watch in
                    guard watch.round == after, watch.bus === bus else { return }
                    Task(executorPreference: watch.thread) { await watch.refreshAll(bus) }
                }
            }
        }
    }

    static func properties(_ bus: DBusConnection, path: String, interface: String) async throws
        -> DBusValue
    {
        let reply = try await bus.call(
            .init(
                name,
                path: path,
                interface: "org.freedesktop.DBus.Properties",
                member: "GetAll",
                arguments: [.string(interface)]
            ),
            withinMs: timeout.ms
        )
        guard let first = reply.first, case .dictionary = first else {
            throw Problem("session.unreadable", "logind sent an invalid reply.")
        }
        return first
    }

    private func follow(_ path: String, _ bus: DBusConnection) async throws {
        guard let inbox, matched.insert(path).inserted else { return }
        try await bus.match(
            "type='signal',sender='\(Self.name)',path='\(path)'",
            withinMs: Self.timeout.ms
        ) { inbox.append($0) }
    }

    private func inhibitorsChanged() {
        guard !isRefreshing else {
            needsRefresh = true
            return
        }
        guard let bus else { return }
        isRefreshing = true
        Task(executorPreference: thread) { await self.refreshInhibitors(bus) }
    }

    private func refreshInhibitors(_ bus: DBusConnection) async {
        let round = round
        let reply = try? await bus.call(
            .init(Self.name, path: Self.root, interface: Self.manager, member: "ListInhibitors"),
            withinMs: Self.timeout.ms
        )
        if round == self.round, let list = reply?.first?.elements {
            setInhibitors(IdleInhibitor.read(list), at: Stopwatch.bootTime())
        }
        // Limits the requests to a few per second, however often the inhibitors change.
        thread.after(milliseconds: Self.pause.ms) { [weak self] in
            self?.assumeIsolated { watch in
                watch.isRefreshing = false
                guard watch.needsRefresh else { return }
                watch.needsRefresh = false
                watch.inhibitorsChanged()
            }
        }
    }

    // MARK: - Signals

    private func handle(_ batch: SignalInbox.Batch, _ bus: DBusConnection) {
        guard self.bus === bus else { return }
        var mustAsk = batch.isIncomplete
        for heard in batch.signals { mustAsk = handle(heard.signal, at: heard.at) || mustAsk }
        if mustAsk { Task(executorPreference: thread) { await self.refreshAll(bus) } }
    }

    /// Returns true if all values must be queried again.
    private func handle(_ signal: DBusMessage, at moment: BootTime) -> Bool {
        switch signal.member {
        case "NameOwnerChanged":
            guard signal.arguments.count == 3, let owner = signal.arguments[2].text else { return false }
            if !owner.isEmpty { return true }
            Task(executorPreference: thread) { await self.reset() }
        case "PrepareForSleep":
            guard signal.arguments.count == 1, let begins = signal.arguments[0].flag else { return false }
            set(asleep: begins, at: moment)
        case "SessionNew": return session == nil
        case "SessionRemoved":
            return signal.arguments.count == 2 && signal.arguments[1].text == session?.path
        case "Lock" where isOurs(signal) && signal.interface == Self.sessionInterface:
            onEvent(.lockAsked(at: moment))
        case "Unlock" where isOurs(signal) && signal.interface == Self.sessionInterface:
            onEvent(.unlockAsked(at: moment))
        case "PropertiesChanged": return changed(signal, at: moment)
        default: break
        }
        return false
    }

    private func isOurs(_ signal: DBusMessage) -> Bool { signal.path == session?.path }

    private func changed(_ signal: DBusMessage, at moment: BootTime) -> Bool {
        guard signal.arguments.count == 3, let interface = signal.arguments[0].text,
            case .dictionary = signal.arguments[1], let gone = signal.arguments[2].elements
        else { return false }
        let values = signal.arguments[1]
        let names = Set(gone.compactMap(\.text))
        if signal.path == Self.root, interface == Self.manager {
            if values["BlockInhibited"] != nil || names.contains("BlockInhibited") { inhibitorsChanged() }
        } else if isOurs(signal), interface == Self.sessionInterface {
            if let flag = values["LockedHint"]?.flag { set(locked: flag, at: moment) }
            if let flag = values["Active"]?.flag { setActive(inFront: flag, at: moment) }
            return names.contains("LockedHint") || names.contains("Active")
        }
        return false
    }

    // MARK: - Reports, each change once

    private func set(locked: Bool, at moment: BootTime) {
        guard locked != isLocked else { return }
        isLocked = locked
        onEvent(.locked(locked, at: moment))
    }

    private func setActive(inFront: Bool, at moment: BootTime) {
        guard inFront != isActiveSession else { return }
        isActiveSession = inFront
        onEvent(.inFront(inFront, at: moment))
    }

    private func set(asleep: Bool, at moment: BootTime) {
        guard asleep != isAsleep else { return }
        isAsleep = asleep
        onEvent(asleep ? .sleeping(at: moment) : .woken(at: moment))
        let bus = bus
        Task(executorPreference: thread) {
            if asleep {
                await self.sleep.begin()
            } else if let bus {
                await self.sleep.acquire(bus)
            }
        }
    }

    private func setInhibitors(_ list: [IdleInhibitor], at moment: BootTime) {
        guard list != inhibitors else { return }
        inhibitors = list
        onEvent(.inhibitors(list, at: moment))
    }
}

/// Delays sleep until the last observations are recorded.
actor SleepDelay {
    /// Upper bound on the delay. logind itself waits five seconds by default.
    private static let delayMax = Duration.seconds(2)

    private let thread: LoopThread
    private let beforeSleep: @Sendable () async -> Void
    private var inhibitor: OwnedDescriptor?
    private var isRequesting = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ thread: LoopThread, before: @escaping @Sendable () async -> Void) {
        self.thread = thread
        self.beforeSleep = before
    }

    /// Takes the inhibitor, unless it is already held. If logind refuses it, sleep is not delayed.
    func acquire(_ bus: DBusConnection) async {
        guard inhibitor == nil, !isRequesting else { return }
        isRequesting = true
        defer { isRequesting = false }
        let words = ["sleep", "Screen Time", "Writes down what was in front last.", "delay"]
        let reply = try? await bus.call(
            .init(
                LogindWatch.name,
                path: LogindWatch.root,
                interface: LogindWatch.manager,
                member: "Inhibit",
                arguments: words.map { .string($0) }
            ),
            withinMs: LogindWatch.timeout.ms
        )
        if case .descriptor(let file)? = reply?.first { inhibitor = file }
    }

    /// Lets the computer sleep once `before` has returned, at the latest after `delayMax`.
    func begin() async {
        let timer = thread.after(milliseconds: Self.delayMax.ms) { [weak self] in
            self?.assumeIsolated { $0.inhibitor = nil }
        }
        await beforeSleep()
        thread.cancelTimer(timer)
        inhibitor = nil
    }

    func release() { inhibitor = nil }
}

/// A program that keeps the desktop from becoming idle, such as a film player.
package struct IdleInhibitor: Sendable, Hashable {
    package var who: String
    package var why: String
    /// The process that requested it. Often this is a desktop program that acts for other programs.
    package var pid: Int32?

    package init(who: String, why: String, pid: Int32? = nil) {
        self.who = who
        self.why = why
        self.pid = pid
    }

    /// Upper bound on inhibitors. Further ones are ignored.
    static let countMax = 64

    /// Returns the inhibitors of idleness from logind's list.
    static func read(_ list: [DBusValue]) -> [IdleInhibitor] {
        let found = list.lazy.compactMap { entry -> IdleInhibitor? in
            guard let fields = entry.elements, fields.count == 6, let what = fields[0].text,
                what.split(separator: ":").contains("idle"), fields[3].text == "block"
            else { return nil }
            let pid = fields[5].number.flatMap { Int32(exactly: $0) }.flatMap { $0 > 0 ? $0 : nil }
            return IdleInhibitor(
                who: ReceivedText.sanitized(fields[1].text) ?? "Some program",
                why: ReceivedText.sanitized(fields[2].text) ?? "",
                pid: pid
            )
        }
        return Array(found.prefix(countMax))
    }
}
