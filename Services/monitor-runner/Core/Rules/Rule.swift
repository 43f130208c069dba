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
