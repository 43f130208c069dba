package import STContracts
package import STPlatform

/// A rule as it is kept.
package struct Rule: WireBody, Codable, Equatable {
    /// Stays when the name changes; the names of its activities begin with it.
    package var id: String
    /// Checked and complete: name, member and consequence are there.
    package var spec: RuleSpec
    package var addedMs: Int64
    /// Another one with every change, so that activity-center can tell a change back from a repeat.
    package var revision: Int64
    package var pausedUntilMs: Int64?
    /// While it is paused: a clock that is set back does not lengthen that.
    package var pauseEnds: SteadyMoment?
    /// Where the interval began in which a goal was met.
    package var metStartMs: Int64?
    /// What happened while it was paused, to be told afterwards.
    package var held: [HeldNotice] = []
    /// A change that loosens it and waits for its moment.
    package var waiting: WaitingChange?
    /// Where it shuts what it is about, by activity; nil for nowhere, as in rules of an older version.
    package var closed: [String: ClosedSpan]?

    package init(id: String, spec: RuleSpec, addedMs: Int64, revision: Int64) {
        self.id = id
        self.spec = spec
        self.addedMs = addedMs
        self.revision = revision
    }

    package var name: String { spec.name ?? id }
    package var member: String { spec.member ?? "" }

    /// Whether something that happened then fell into its pause, whether or not that is over.
    package func isPaused(atWallMs wallMs: Int64) -> Bool { pausedUntilMs.map { wallMs < $0 } ?? false }

    /// Whether the pause is on, in which nobody ended it by boot time.
    package func isPaused(nowMs: Int64) -> Bool { pauseEnds != nil && isPaused(atWallMs: nowMs) }

    package mutating func pause(forMs: Int64, _ now: TimeReading, bootID: String) {
        pausedUntilMs = forMs == 0 ? nil : now.wallMs + forMs
        pauseEnds = forMs == 0 ? nil : SteadyMoment(afterMs: forMs, from: now, bootID: bootID)
    }

    /// Whether it holds at all: something that will be allowed is not allowed yet.
    package var isInEffect: Bool { waiting?.kind != .add }
}

/// A notification that waits for the end of a pause.
package struct HeldNotice: WireBody, Codable, Equatable {
    package var post: NotifyPost.Request
    /// Afterwards there is nothing to tell any more.
    package var untilMs: Int64

    package init(post: NotifyPost.Request, untilMs: Int64) {
        self.post = post
        self.untilMs = untilMs
    }
}

/// A stretch in which what a rule is about is shut, and the callback that said so.
package struct ClosedSpan: WireBody, Codable, Equatable {
    package var startMs: Int64
    /// As it was told; a journey to another zone may move it.
    package var endMs: Int64
    /// The delivery that everything about it can be asked of.
    package var delivery: String
    /// Of a limit: so much use had been reached.
    package var thresholdMs: Int64?
    /// The zone that its days are counted in; nil in what an older version wrote down.
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

/// A change that makes a rule looser and waits for its moment.
package struct WaitingChange: WireBody, Codable, Equatable {
    package enum Kind: String, Codable, Sendable {
        case add, edit, remove, pause
    }

    package var kind: Kind
    /// The rule as it will be, of `edit`.
    package var spec: RuleSpec?
    /// Of `pause`: how long, from its moment on.
    package var forMs: Int64?
    package var askedMs: Int64
    package var moment: SteadyMoment

    package init(
        _ kind: Kind,
        spec: RuleSpec? = nil,
        forMs: Int64? = nil,
        askedMs: Int64,
        moment: SteadyMoment
    ) {
        self.kind = kind
        self.spec = spec
        self.forMs = forMs
        self.askedMs = askedMs
        self.moment = moment
    }

    /// Whether both come to the same, so that asking twice does not begin the wait anew.
    func isSame(as other: WaitingChange) -> Bool {
        kind == other.kind && spec == other.spec && forMs == other.forMs
    }
}

/// How long changes that loosen a member's rules wait.
package struct MemberDelay: WireBody, Codable, Equatable {
    package static let msMax: Int64 = 7 * RuleCheck.dayMs

    package var delayMs: Int64 = 0
    /// A shorter one is looser too, so it waits.
    package var nextMs: Int64?
    package var nextFrom: SteadyMoment?

    package init() {}

    package mutating func set(_ newMs: Int64, _ now: TimeReading, bootID: String) throws(Problem) {
        guard (0...Self.msMax).contains(newMs) else {
            throw Problem(
                "rule.bad_delay",
                "A change can be made to wait for at most \(TextFormat.duration(ms: Self.msMax)); 0 is no wait.",
                field: "/delay_ms"
            )
        }
        if newMs < delayMs {
            guard newMs != nextMs else { return }
            nextMs = newMs
            nextFrom = SteadyMoment(afterMs: delayMs, from: now, bootID: bootID)
        } else {
            delayMs = newMs
            nextMs = nil
            nextFrom = nil
        }
    }
}
