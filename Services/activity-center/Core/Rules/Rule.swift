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

    package init(id: String, spec: RuleSpec, added: WallTime) {
        self.id = id
        self.spec = spec
        addedMs = added.ms
    }

    package var name: String { spec.name ?? id }
    package var member: String { spec.member ?? "" }
    var pausedUntil: WallTime? { pausedUntilMs.map { WallTime(ms: $0) } }

    /// Returns true if the moment is before the end of the latest pause, even if that pause is over.
    package func isPaused(at wall: WallTime) -> Bool { pausedUntil.map { wall < $0 } ?? false }

    /// Returns true while the pause lasts.
    package func isPaused(now: WallTime) -> Bool { pauseEnds != nil && isPaused(at: now) }

    /// Returns true if a pause until `until` loosens the rule: it ends later than the present pause, or than now.
    func isLoosened(byPauseUntil until: WallTime, now: WallTime) -> Bool {
        spec.kind != .allow && until > (isPaused(now: now) ? pausedUntil ?? now : now)
    }

    package mutating func pause(for length: Duration, _ now: TimeReading, bootID: String) {
        pausedUntilMs = length == .zero ? nil : (now.wall + length).ms
        pauseEnds = length == .zero ? nil : StableDeadline(afterMs: length.ms, from: now, bootID: bootID)
    }

    /// Begins a session. A session begins when it is added, without an event.
    package mutating func begin(_ now: TimeReading, bootID: String, zone: String) {
        guard spec.kind == .session, let forMs = spec.durationMs else { return }
        ends = StableDeadline(afterMs: forMs, from: now, bootID: bootID)
        closed = [
            id: ClosedInterval(
                start: now.wall,
                end: now.wall + .milliseconds(forMs),
                delivery: "",
                zone: zone
            )
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
                start: now.wall,
                end: now.wall + .milliseconds(restMs),
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

    package init(post: NotifyPost.Request, until: WallTime, sequence: Int64?) {
        self.post = post
        untilMs = until.ms
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
        start: WallTime,
        end: WallTime,
        delivery: String,
        threshold: Duration? = nil,
        zone: String? = nil
    ) {
        startMs = start.ms
        endMs = end.ms
        self.delivery = delivery
        thresholdMs = threshold?.ms
        self.zone = zone
    }

    init(_ occurrence: ActivityOccurrence, delivery: String) {
        self.init(
            start: occurrence.interval.start,
            end: occurrence.interval.end,
            delivery: delivery,
            threshold: occurrence.evidence.thresholdMs.map { .milliseconds($0) },
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
        for length: Duration? = nil,
        asked: WallTime,
        moment: StableDeadline,
        by: String? = nil
    ) {
        self.kind = kind
        self.spec = spec
        forMs = length?.ms
        askedMs = asked.ms
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

    package mutating func set(_ delay: Duration, _ now: TimeReading, bootID: String) throws(Problem) {
        let newMs = delay.ms
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
