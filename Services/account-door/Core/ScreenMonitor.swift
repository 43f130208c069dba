package import STContracts
package import STPlatform

/// Decides from the agent's pings and the account's sessions which use to report, when to pause a child's
/// shielded apps, and which screens to lock.
package struct ScreenMonitor: Sendable {
    /// `news` is the change of unseen use. `hold` is the change that decides if the child's shielded apps are
    /// paused.
    package typealias Found = (news: SessionMonitor.Transition, hold: SessionMonitor.Transition)

    private var session: SessionMonitor
    /// Also counts sessions that report themselves as locked or idle, because the account can set these
    /// states.
    private var covers: SessionMonitor
    /// Counts use that no agent can observe, even while an agent runs.
    private var console: SessionMonitor
    /// The boot time of the last ping from an agent that cannot observe the desktop.
    private var lastUnobservablePing = BootTime(ms: .min / 2)
    /// True if the door locks a screen that is used while no agent observes the screen.
    private let locksSession: Bool
    /// The run that identifies the observations of the door.
    private let run: String
    private var sequence: Int64 = 0

    /// `isHeld` is true if an earlier door process has paused the child's apps.
    package init(locks: Bool, isHeld: Bool, run: String, at now: BootTime) {
        (session, console) = (SessionMonitor(at: now), SessionMonitor(at: now))
        covers = SessionMonitor(at: now, isUnseen: isHeld)
        self.locksSession = locks
        self.run = run
    }

    package func isAgentOverdue(at now: BootTime) -> Bool { session.isOverdue(at: now) }

    /// An agent that observes the screen pings activity-center. An agent that cannot observe the screen pings
    /// auth-service, which is sufficient for an adult.
    package mutating func receivePing(_ service: ServiceName, isChild: Bool, at now: BootTime) -> Found {
        if service == .auth { lastUnobservablePing = now }
        guard service == .activity || !isChild else { return (.unchanged, .unchanged) }
        return (session.receivePing(at: now), covers.receivePing(at: now))
    }

    /// Examines a child's use that no agent can observe.
    package mutating func checkUnobservable(_ used: [UsedSession], at now: BootTime)
        -> SessionMonitor.Transition
    {
        console.check(isUsed: UsedSession.areUnobservable(used.filter { !$0.isIdle }), at: now)
    }

    /// Examines the use of sessions without an agent. Returns `nil` while an agent pings.
    package mutating func check(_ used: [UsedSession], at now: BootTime) -> Found? {
        guard isAgentOverdue(at: now) else { return nil }
        let hold = covers.check(isUsed: !used.isEmpty, at: now)
        return (session.check(isUsed: used.contains { !$0.isIdle }, at: now), hold)
    }

    /// Returns the sessions to lock. A desktop that the agent cannot observe is not locked. An X display is always observable.
    package func lockTargets(
        _ used: [UsedSession],
        _ news: SessionMonitor.Transition,
        isChild: Bool,
        at now: BootTime
    )
        -> [UsedSession]
    {
        let awake = used.filter { !$0.isIdle }
        let isBlind = now - lastUnobservablePing < SessionMonitor.timeout && !awake.contains(where: \.isX11)
        return locksSession && news == .unobserved && isChild && !isBlind ? awake : []
    }

    /// Returns the observation that use without an agent has begun or ended.
    package mutating func report(
        _ news: SessionMonitor.Transition,
        of person: DoorPerson,
        _ time: any TimeSource
    ) -> UsageObserve.Request {
        sequence += 1
        let now = time.now()
        let isUnseen = news == .unobserved
        let seen = Observation(
            sequence: sequence,
            bootId: time.bootID,
            at: now,
            zone: time.zone(),
            member: person.member,
            presence: isUnseen ? .active : .away,
            app: isUnseen ? UsageObserve.unseenApp : nil,
            inputBootMs: isUnseen ? now.bootMs : nil
        )
        // No agent can have this name, because the name of an agent behind a door ends with its account.
        let agent = UsageObserve.doorAgentPrefix + person.account
        return UsageObserve.Request(agent: agent, run: run, observations: [seen])
    }
}
