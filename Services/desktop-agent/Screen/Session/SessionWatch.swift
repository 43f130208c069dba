import Glibc
import STDBus
package import STPlatform

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
    /// Before the computer sleeps `beforeSleep` is waited for, two seconds at the most; `.sleeping` is told before it
    /// is called.
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

    /// Nothing is told after this has returned.
    package func close() async {
        locks.close()
        await logind.close()
        await media.close()
        await system.close()
        await session.close()
        await monitor.close()
    }

    /// What can be seen at this moment.
    package func facts() async -> SessionFacts {
        var facts = SessionFacts()
        let trouble = await logind.trouble
        facts.systemBusTrouble = await system.connection == nil ? trouble : nil
        facts.session = await logind.session
        facts.noSession = facts.session == nil ? trouble : nil
        facts.delaysSleep = await logind.delaysSleep
        facts.inhibitors = await logind.inhibitors
        facts.sessionBusTrouble = await media.trouble
        facts.screenSavers = await media.screenSavers
        facts.players = await media.playerCount
        facts.playing = await media.playing
        facts.notifications =
            countsNotifications
            ? await notifications.sight : .notKnown("The settings say that notifications are not counted.")
        return facts
    }
}
