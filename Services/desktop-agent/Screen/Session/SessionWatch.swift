import Glibc
import STDBus
package import STPlatform
import Synchronization

/// Watches the session of the screen: locks, user switches, sleep, media players, idle inhibitors and notifications.
///
/// Sleeps until a bus sends a signal. If a bus is missing or its connection ends, attempts to reconnect become less and less
/// frequent.
package actor SessionWatch {
    private let thread: LoopThread
    private let logind: LogindWatch
    private let media: SessionBusWatch
    private let notifications: NotificationCounter
    private let system: BusLink
    private let session: BusLink
    private let monitor: BusLink
    private let countsNotifications: Bool
    private let lockAggregator: LockAggregator

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// `heard` is called in order, on the loop's thread.
    ///
    /// Before the computer sleeps, it waits for `beforeSleep` to return, for at most two seconds. `.sleeping` is reported before
    /// that call.
    package init(
        thread: LoopThread,
        environment: [String: String],
        countsNotifications: Bool = true,
        pid: Int32 = getpid(),
        uid: UInt32 = getuid(),
        beforeSleep: @escaping @Sendable () async -> Void = {},
        _ heard: @escaping @Sendable (SessionEvent) -> Void
    ) {
        self.thread = thread
        self.countsNotifications = countsNotifications
        let locks = LockAggregator(heard)
        self.lockAggregator = locks
        let logind = LogindWatch(
            thread,
            environment: environment,
            pid: pid,
            uid: uid,
            beforeSleep: beforeSleep
        ) { locks.apply($0, from: .logind) }
        let media = SessionBusWatch(thread) { locks.apply($0, from: .screenSaver) }
        let notifications = NotificationCounter(thread) {
            await media.pid(of: $0)
        } _: {
            locks.forward($0)
        }
        self.logind = logind
        self.media = media
        self.notifications = notifications
        system = BusLink(thread) { () throws(Problem) in
            DBusAddress.system(environment)
        } ready: {
            try await logind.connectionDidOpen($0)
        } ended: { problem in
            Task(executorPreference: thread) { await logind.connectionDidClose(problem) }
        }
        let address: @Sendable () throws(Problem) -> String = { () throws(Problem) in
            try DBusAddress.session(environment)
        }
        session = BusLink(thread, address: address) {
            try await media.connectionDidOpen($0)
        } ended: { problem in
            Task(executorPreference: thread) { await media.connectionDidClose(problem) }
        }
        monitor = BusLink(thread, isMonitor: true, address: address) {
            try await notifications.connectionDidOpen($0)
        } ended: { problem in
            Task(executorPreference: thread) { await notifications.connectionDidClose(problem) }
        }
    }

    /// Returns once each bus has been tried for the first time.
    package func start() async {
        async let one: Void = system.connect()
        async let two: Void = session.connect()
        if countsNotifications { await monitor.connect() }
        _ = await (one, two)
    }

    /// Closes the connections. No event follows after it has returned.
    package func close() async {
        lockAggregator.close()
        await logind.close()
        await media.close()
        await system.close()
        await session.close()
        await monitor.close()
    }

    private static let disabledMessage = Message(
        "agent.notifications-switched-off",
        "The setting count_notifications under [desktop-agent] is off."
    )

    /// Returns the current state of the connections and the session.
    package func facts() async -> SessionFacts {
        var facts = SessionFacts()
        let trouble = await logind.busProblem
        facts.systemBusProblem = await system.connection == nil ? trouble : nil
        facts.session = await logind.session
        facts.sessionBusProblem = await media.busProblem
        facts.screenSavers = await media.screenSavers
        facts.players = await media.playerCount
        facts.notifications =
            countsNotifications ? await notifications.status : .notKnown(Self.disabledMessage)
        return facts
    }
}

/// The observable facts about the session, for the doctor.
package struct SessionFacts: Sendable, Equatable {
    /// The reason that the system bus is not reachable, as a sentence. `nil` if it is reachable.
    package var systemBusProblem: String? = "It is not known yet."
    package var sessionBusProblem: String? = "It is not known yet."
    package var session: LoginSession?
    /// The names of the screen savers that report when they lock the screen.
    package var screenSavers: [String] = []
    /// The number of media players, playing or not.
    package var players = 0
    package var notifications = NotificationCountStatus.notConnected

    package init() {}
}

/// An event of the session.
package enum SessionEvent: Sendable, Equatable {
    /// A locking program reported the state: logind's hint, or a screen saver.
    case locked(Bool, at: BootTime)
    /// A program requested a lock, which may not follow.
    case lockAsked(at: BootTime)
    case unlockAsked(at: BootTime)
    /// True if this session is the foreground session of its seat. False if another user's session is.
    case inFront(Bool, at: BootTime)
    case sleeping(at: BootTime)
    case woken(at: BootTime)
    /// All inhibitors that keep the desktop from becoming idle.
    case inhibitors([IdleInhibitor], at: BootTime)
    /// All players that play now.
    case playing([MediaPlayer], at: BootTime)
    /// Notifications that were shown to the user since the last such event, by source.
    case notified([NotificationSource: Int], at: BootTime)
    /// The state of counting notifications.
    case notifications(NotificationCountStatus)
}

/// Combines the lock states of several programs. The screen is locked while any of them reports so.
final class LockAggregator: Sendable {
    enum Source: Hashable {
        case logind
        case screenSaver
    }

    private struct State {
        var lockers: Set<Source> = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let onEvent: @Sendable (SessionEvent) -> Void

    init(_ heard: @escaping @Sendable (SessionEvent) -> Void) { self.onEvent = heard }

    func forward(_ event: SessionEvent) {
        if !state.withLock({ $0.isClosed }) { onEvent(event) }
    }

    /// Passes events on, except those that do not change the combined lock state.
    func apply(_ event: SessionEvent, from source: Source) {
        let isNews = state.withLock { state in
            guard !state.isClosed else { return false }
            guard case .locked(let isLocked, _) = event else { return true }
            let was = !state.lockers.isEmpty
            if isLocked { state.lockers.insert(source) } else { state.lockers.remove(source) }
            return was != !state.lockers.isEmpty
        }
        if isNews { onEvent(event) }
    }

    func close() { state.withLock { $0.isClosed = true } }
}
