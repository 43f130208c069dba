package import STContracts
package import STPlatform

/// Decides from the agent's pings and the account's sessions which use to report, when to pause a child's
/// shielded apps, and which screens to lock.
package struct ScreenWatch: Sendable {
    /// `news` is the change of unseen use. `hold` is the change that decides if the child's shielded apps are
    /// paused.
    package typealias Found = (news: SessionGate.News, hold: SessionGate.News)

    private var gate: SessionGate
    /// Also counts sessions that report themselves as locked or idle, because the account can set these
    /// states.
    private var holdGate: SessionGate
    /// Counts use that no agent can observe, even while an agent runs.
    private var textGate: SessionGate
    /// The boot time of the last ping from an agent that cannot observe the desktop.
    private var blindMs = Int64.min / 2
    /// True if the door locks a screen that is used while no agent observes the screen.
    private let locks: Bool
    /// The run that identifies the observations of the door.
    private let run: String
    private var sequence: Int64 = 0

    /// `isHeld` is true if an earlier door process has paused the child's apps.
    package init(locks: Bool, isHeld: Bool, run: String, nowMs: Int64) {
        (gate, textGate) = (SessionGate(nowMs: nowMs), SessionGate(nowMs: nowMs))
        holdGate = SessionGate(nowMs: nowMs, isUnseen: isHeld)
        self.locks = locks
        self.run = run
    }

    package func isSilent(nowMs: Int64) -> Bool { gate.isSilent(nowMs: nowMs) }

    /// An agent that observes the screen pings activity-center. An agent that cannot observe the screen pings
    /// auth-service, which is sufficient for an adult.
    package mutating func pinged(_ service: ServiceName, isChild: Bool, nowMs: Int64) -> Found {
        if service == .auth { blindMs = nowMs }
        guard service == .activity || !isChild else { return (.nothing, .nothing) }
        return (gate.heard(nowMs: nowMs), holdGate.heard(nowMs: nowMs))
    }

    /// Examines a child's use that no agent can observe.
    package mutating func lookForBlind(_ used: [UsedSession], nowMs: Int64) -> SessionGate.News {
        textGate.look(isUsed: UsedSession.areBlind(used.filter { !$0.isAtRest }), nowMs: nowMs)
    }

    /// Examines the use of sessions without an agent. Returns `nil` while an agent pings.
    package mutating func look(_ used: [UsedSession], nowMs: Int64) -> Found? {
        guard isSilent(nowMs: nowMs) else { return nil }
        let hold = holdGate.look(isUsed: !used.isEmpty, nowMs: nowMs)
        return (gate.look(isUsed: used.contains { !$0.isAtRest }, nowMs: nowMs), hold)
    }

    /// Returns the sessions to lock. A desktop that the agent cannot observe is not locked. An X display is always observable.
    package func locked(_ used: [UsedSession], _ news: SessionGate.News, isChild: Bool, nowMs: Int64)
        -> [UsedSession]
    {
        let awake = used.filter { !$0.isAtRest }
        let isBlind = nowMs - blindMs < SessionGate.silenceMs && !awake.contains(where: \.isX11)
        return locks && news == .unseen && isChild && !isBlind ? awake : []
    }

    /// Returns the observation that use without an agent has begun or ended.
    package mutating func report(
        _ news: SessionGate.News,
        of person: DoorPerson,
        _ time: any TimeSource
    ) -> UsageObserve.Request {
        sequence += 1
        let now = time.now()
        let isUnseen = news == .unseen
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
