import Glibc
import STDBus
package import STPlatform
import Synchronization

/// Watches the session around the screen: locks, user switches, sleep, what plays, what keeps it from being idle, and
/// who puts notifications before the user.
///
/// Sleeps until a bus tells something; a bus that is not there, or ends, is tried again more and more seldom.
package actor SessionWatch {
    private let thread: LoopThread
    private let logind: LogindWatch
    private let media: SessionBusWatch
    private let notifications: NotificationCount
    private let system: BusLink
    private let session: BusLink
    private let monitor: BusLink
    private let countsNotifications: Bool
    private let locks: LockBook

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// `heard` is called in order, on the loop's thread.
    ///
    /// Before the computer sleeps `beforeSleep` is waited for, two seconds at the most; `.sleeping` comes before
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
        let locks = LockBook(heard)
        self.locks = locks
        let logind = LogindWatch(
            thread,
            environment: environment,
            pid: pid,
            uid: uid,
            beforeSleep: beforeSleep
        ) { locks.take($0, from: .logind) }
        let media = SessionBusWatch(thread) { locks.take($0, from: .screenSaver) }
        let notifications = NotificationCount(thread) {
            await media.pid(of: $0)
        } _: {
            locks.pass($0)
        }
        self.logind = logind
        self.media = media
        self.notifications = notifications
        system = BusLink(thread) { () throws(Problem) in
            DBusAddress.system(environment)
        } ready: {
            try await logind.ready($0)
        } ended: { problem in
            Task(executorPreference: thread) { await logind.lost(problem) }
        }
        let address: @Sendable () throws(Problem) -> String = { () throws(Problem) in
            try DBusAddress.session(environment)
        }
        session = BusLink(thread, address: address) {
            try await media.ready($0)
        } ended: { problem in
            Task(executorPreference: thread) { await media.lost(problem) }
        }
        monitor = BusLink(thread, isMonitor: true, address: address) {
            try await notifications.ready($0)
        } ended: { problem in
            Task(executorPreference: thread) { await notifications.lost(problem) }
        }
    }

    /// Returns once each bus has been tried for the first time.
    package func start() async {
        async let one: Void = system.connect()
        async let two: Void = session.connect()
        if countsNotifications { await monitor.connect() }
        _ = await (one, two)
    }

    /// No event comes after this has returned.
    package func close() async {
        locks.close()
        await logind.close()
        await media.close()
        await system.close()
        await session.close()
        await monitor.close()
    }

    private static let switchedOff = Message(
        "agent.notifications-switched-off",
        "The setting count_notifications under [desktop-agent] is off."
    )

    /// What can be seen at this moment.
    package func facts() async -> SessionFacts {
        var facts = SessionFacts()
        let trouble = await logind.trouble
        facts.systemBusTrouble = await system.connection == nil ? trouble : nil
        facts.session = await logind.session
        facts.sessionBusTrouble = await media.trouble
        facts.screenSavers = await media.screenSavers
        facts.players = await media.playerCount
        facts.notifications = countsNotifications ? await notifications.sight : .notKnown(Self.switchedOff)
        return facts
    }
}

/// What can be seen of the session at this moment, for the doctor.
package struct SessionFacts: Sendable, Equatable {
    /// Nil: reachable; otherwise the sentence that says why not.
    package var systemBusTrouble: String? = "It is not known yet."
    package var sessionBusTrouble: String? = "It is not known yet."
    package var session: LoginSession?
    /// By name: those that say when they lock the screen.
    package var screenSavers: [String] = []
    /// All that offer to be asked, playing or not.
    package var players = 0
    package var notifications = NotificationSight.notConnected

    package init() {}
}

/// What the session around the screen tells; every moment is one of boot time.
package enum SessionEvent: Sendable, Equatable {
    /// A program that locks says so: logind's hint, or a screen saver.
    case locked(Bool, atBootMs: Int64)
    /// A program asked for it; whether the screen is then locked is another question.
    case lockAsked(atBootMs: Int64)
    case unlockAsked(atBootMs: Int64)
    /// Whether this session is the one in front of its seat; false: another user's is.
    case inFront(Bool, atBootMs: Int64)
    case sleeping(atBootMs: Int64)
    case woken(atBootMs: Int64)
    /// All that keep the desktop from being idle.
    case inhibitors([IdleInhibitor], atBootMs: Int64)
    /// All that play at this moment.
    case playing([MediaPlayer], atBootMs: Int64)
    /// Notifications that were put before the user since the last such event.
    case notified([NotificationSource: Int], atBootMs: Int64)
    /// Whether notifications can be counted here.
    case notifications(NotificationSight)
}

/// Several programs say whether the screen is locked; it is as long as any of them says so.
final class LockBook: Sendable {
    enum Source: Hashable {
        case logind
        case screenSaver
    }

    private struct State {
        var lockers: Set<Source> = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let heard: @Sendable (SessionEvent) -> Void

    init(_ heard: @escaping @Sendable (SessionEvent) -> Void) { self.heard = heard }

    func pass(_ event: SessionEvent) {
        if !state.withLock({ $0.isClosed }) { heard(event) }
    }

    /// Passes on everything but what changes nothing.
    func take(_ event: SessionEvent, from source: Source) {
        let isNews = state.withLock { state in
            guard !state.isClosed else { return false }
            guard case .locked(let isLocked, _) = event else { return true }
            let was = !state.lockers.isEmpty
            if isLocked { state.lockers.insert(source) } else { state.lockers.remove(source) }
            return was != !state.lockers.isEmpty
        }
        if isNews { heard(event) }
    }

    func close() { state.withLock { $0.isClosed = true } }
}
