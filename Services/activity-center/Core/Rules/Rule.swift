package import STContracts
package import STPlatform
import STRules

/// A rule as activity-center stores it.
package struct Rule: WireBody, Codable, Equatable {
    /// Unchanged if the name changes. The names of the rule's activities begin with it.
    package var id: String
    /// The checked specification, with the name, member and consequence set.
    package var spec: RuleSpec
    package var addedMs: Int64
    package var pausedUntilMs: Int64?
    /// The end of the pause. Setting the clock back does not delay it.
    package var pauseEnds: StableDeadline?
    /// The start of the interval in which the goal was met.
    package var metStartMs: Int64?
    /// The notices that notifier has not accepted yet, or that wait for the end of a pause. The oldest is first.
    package var held: [HeldNotice] = []
    /// A loosening change that is not due yet.
    package var waiting: ScheduledChange?
    /// The intervals in which the rule shuts its apps, by activity. `nil` if there are none, and in rules of an older version.
    package var closed: [String: ClosedInterval]?
    /// The end of a session, after which the rule is removed, or the end of the break under way.
    package var ends: StableDeadline?

    package init(id: String, spec: RuleSpec, addedMs: Int64) {
        self.id = id
        self.spec = spec
        self.addedMs = addedMs
    }

    package var name: String { spec.name ?? id }
    package var member: String { spec.member ?? "" }

    /// Returns true if the moment is before the end of the latest pause, even if that pause is over.
    package func isPaused(atWallMs wallMs: Int64) -> Bool { pausedUntilMs.map { wallMs < $0 } ?? false }

    /// Returns true while the pause lasts.
    package func isPaused(nowMs: Int64) -> Bool { pauseEnds != nil && isPaused(atWallMs: nowMs) }

    /// Returns true if a pause until `untilMs` loosens the rule: it ends later than the present pause, or than now.
    func isLoosened(byPauseUntilMs untilMs: Int64, nowMs: Int64) -> Bool {
        spec.kind != .allow && untilMs > (isPaused(nowMs: nowMs) ? pausedUntilMs ?? nowMs : nowMs)
    }

    package mutating func pause(forMs: Int64, _ now: TimeReading, bootID: String) {
        pausedUntilMs = forMs == 0 ? nil : now.wallMs + forMs
        pauseEnds = forMs == 0 ? nil : StableDeadline(afterMs: forMs, from: now, bootID: bootID)
    }

    /// Begins a session. A session begins when it is added, without an event.
    package mutating func begin(_ now: TimeReading, bootID: String, zone: String) {
        guard spec.kind == .session, let forMs = spec.durationMs else { return }
        ends = StableDeadline(afterMs: forMs, from: now, bootID: bootID)
        closed = [
            id: ClosedInterval(startMs: now.wallMs, endMs: now.wallMs + forMs, delivery: "", zone: zone)
        ]
    }

    /// Begins a break now instead of at its due moment. The person may have continued then, or the computer may have slept.
    mutating func beginBreak(
        _ occurrence: ActivityOccurrence,
        delivery: String,
        _ now: TimeReading,
        bootID: String
    ) {
        guard spec.kind == .break, let restMs = spec.restMs, RuleClosure.isReached(occurrence, self)
        else { return }
        ends = StableDeadline(afterMs: restMs, from: now, bootID: bootID)
        closed = [
            id: ClosedInterval(
                startMs: now.wallMs,
                endMs: now.wallMs + restMs,
                delivery: delivery,
                zone: occurrence.interval.zone
            )
        ]
    }

    mutating func endBreak() {
        ends = nil
        closed = nil
    }

    /// False for a new permission that still waits.
    package var isInEffect: Bool { waiting?.kind != .add }
}

/// A notice that notifier has not accepted yet, or that waits for the end of a pause.
package struct HeldNotice: WireBody, Codable, Equatable {
    package var post: NotifyPost.Request
    /// The wall time from which the notice is out of date.
    package var untilMs: Int64
    /// The sequence number of the event that led to the notice. It orders the notices. `nil` in rows of an older version.
    package var sequence: Int64?

    package init(post: NotifyPost.Request, untilMs: Int64, sequence: Int64?) {
        self.post = post
        self.untilMs = untilMs
        self.sequence = sequence
    }

    var order: (Int64, String) { (sequence ?? 0, post.id) }
}

/// An interval in which a rule shuts its apps, and the event that began it.
package struct ClosedInterval: WireBody, Codable, Equatable {
    package var startMs: Int64
    /// The end as reported by the event. A journey to another zone may move it.
    package var endMs: Int64
    /// The id of the event that began the interval, or empty if no event was applied. monitor-runner uses the same id for its
    /// delivery. The name remains because saved rows contain it.
    package var delivery: String
    /// For a limit: the amount of use that was reached.
    package var thresholdMs: Int64?
    /// The time zone of its days. `nil` in rows of an older version.
    package var zone: String?

    package init(
        startMs: Int64,
        endMs: Int64,
        delivery: String,
        thresholdMs: Int64? = nil,
        zone: String? = nil
    ) {
        self.startMs = startMs
        self.endMs = endMs
        self.delivery = delivery
        self.thresholdMs = thresholdMs
        self.zone = zone
    }

    init(_ occurrence: ActivityOccurrence, delivery: String) {
        self.init(
            startMs: occurrence.interval.startWallMs,
            endMs: occurrence.interval.endWallMs,
            delivery: delivery,
            thresholdMs: occurrence.evidence.thresholdMs,
            zone: occurrence.interval.zone
        )
    }
}

/// A change that loosens a rule and waits for its moment.
package struct ScheduledChange: WireBody, Codable, Equatable {
    package enum Kind: String, Codable, Sendable {
        case add, edit, remove, pause
    }

    package var kind: Kind
    /// For `edit`: the rule as it will be.
    package var spec: RuleSpec?
    /// For `pause`: the length of the pause, which begins when the change is applied.
    package var forMs: Int64?
    package var askedMs: Int64
    package var moment: StableDeadline
    /// The guardian who authorised the change.
    package var by: String?

    package init(
        _ kind: Kind,
        spec: RuleSpec? = nil,
        forMs: Int64? = nil,
        askedMs: Int64,
        moment: StableDeadline,
        by: String? = nil
    ) {
        self.kind = kind
        self.spec = spec
        self.forMs = forMs
        self.askedMs = askedMs
        self.moment = moment
        self.by = by
    }

    /// Returns true if both changes do the same, so that a repeated request does not restart the wait.
    func isSame(as other: ScheduledChange) -> Bool {
        kind == other.kind && spec == other.spec && forMs == other.forMs
    }
}

/// The delay for changes that loosen a member's rules.
package struct MemberDelay: WireBody, Codable, Equatable {
    package var delayMs: Int64 = 0
    /// The next, shorter delay. Shortening a delay is a loosening too, so it waits until `nextFrom`.
    package var nextMs: Int64?
    package var nextFrom: StableDeadline?
    /// The guardian who authorised the shorter delay.
    package var nextBy: String?

    package init() {}

    package mutating func set(_ newMs: Int64, _ now: TimeReading, bootID: String) throws(Problem) {
        guard (0...RuleCheck.delayMsMax).contains(newMs) else {
            throw Problem(
                "rule.bad_delay",
                """
                Changes can be delayed by at most \
                \(MessageValue.duration(ms: RuleCheck.delayMsMax), "most"). 0 means no delay.
                """,
                field: "/delay_ms"
            )
        }
        if newMs < delayMs {
            guard newMs != nextMs else { return }
            nextMs = newMs
            nextFrom = StableDeadline(afterMs: delayMs, from: now, bootID: bootID)
        } else {
            delayMs = newMs
            nextMs = nil
            nextFrom = nil
        }
    }
}
