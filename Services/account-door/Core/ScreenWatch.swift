package import STContracts
package import STPlatform

/// Decides from the agent's pings and the account's sessions what to report, whose apps to hold, and which screens to lock.
package struct ScreenWatch: Sendable {
    /// `hold`: of the child's shielded apps.
    package typealias Found = (news: SessionGate.News, hold: SessionGate.News)

    private var gate: SessionGate
    /// The same for sessions that call themselves locked or idle, too: the account may say so of its own.
    private var holdGate: SessionGate
    /// For what no agent could see, whether it lives or not.
    private var textGate: SessionGate
    /// Boot time of the last ping of an agent that sees nothing.
    private var blindMs = Int64.min / 2
    /// True if a screen is locked that is used while nothing sees it.
    private let locks: Bool
    /// Of the observations that the door makes while no agent does.
    private let run: String
    private var sequence: Int64 = 0

    /// `isHeld`: an earlier door holds the child's apps.
    package init(locks: Bool, isHeld: Bool, run: String, nowMs: Int64) {
        (gate, textGate) = (SessionGate(nowMs: nowMs), SessionGate(nowMs: nowMs))
        holdGate = SessionGate(nowMs: nowMs, isUnseen: isHeld)
        self.locks = locks
        self.run = run
    }

    package func isSilent(nowMs: Int64) -> Bool { gate.isSilent(nowMs: nowMs) }

    /// An agent that sees the screen pings activity-center, and one that sees nothing auth-service. An adult's may as well see nothing.
    package mutating func pinged(_ service: ServiceName, isChild: Bool, nowMs: Int64) -> Found {
        if service == .auth { blindMs = nowMs }
        guard service == .activity || !isChild else { return (.nothing, .nothing) }
        return (gate.heard(nowMs: nowMs), holdGate.heard(nowMs: nowMs))
    }

    /// For a child: use that no agent could see.
    package mutating func lookForBlind(_ used: [UsedSession], nowMs: Int64) -> SessionGate.News {
        textGate.look(isUsed: UsedSession.areBlind(used.filter { !$0.isAtRest }), nowMs: nowMs)
    }

    /// Returns nil while an agent pings.
    package mutating func look(_ used: [UsedSession], nowMs: Int64) -> Found? {
        guard isSilent(nowMs: nowMs) else { return nil }
        let hold = holdGate.look(isUsed: !used.isEmpty, nowMs: nowMs)
        return (gate.look(isUsed: used.contains { !$0.isAtRest }, nowMs: nowMs), hold)
    }

    /// The sessions to lock. A desktop that shows the agent nothing locks no person out; an X display shows it everything.
    package func locked(_ used: [UsedSession], _ news: SessionGate.News, isChild: Bool, nowMs: Int64)
        -> [UsedSession]
    {
        let awake = used.filter { !$0.isAtRest }
        let isBlind = nowMs - blindMs < SessionGate.silenceMs && !awake.contains(where: \.isX11)
        return locks && news == .unseen && isChild && !isBlind ? awake : []
    }

    /// The report of used time that no agent sees, or of its end.
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
        // No agent can have this name: one that comes through a door ends with its account.
        let agent = UsageObserve.doorAgentPrefix + person.account
        return UsageObserve.Request(agent: agent, run: run, observations: [seen])
    }
}
