import STContracts

/// How far a shield has gone, and when it goes further; pure.
///
/// Each step waits, so that a person can save what they have; covering and pausing lose nothing and wait for nobody.
struct ShieldEscalation: Sendable, Equatable {
    enum Step: Sendable, Equatable {
        case hold
        /// The windows were asked to close since then.
        case closing
        /// The processes were told to end.
        case ending
    }

    private(set) var step = Step.hold
    /// When this step began; nil: it has not begun.
    private(set) var sinceMs: Int64?

    /// The waiting begins; harmless when it has begun.
    mutating func begin(_ nowMs: Int64) {
        if sinceMs == nil { sinceMs = nowMs }
    }

    /// The step whose time has come; nil: none.
    func due(_ goal: Escalation, afterMs: Int64, nowMs: Int64) -> Step? {
        guard let sinceMs, nowMs - sinceMs >= afterMs else { return nil }
        return following(goal)
    }

    /// It is done at this moment.
    mutating func go(_ next: Step, _ nowMs: Int64) {
        step = next
        sinceMs = nowMs
    }

    private func following(_ goal: Escalation) -> Step? {
        switch (step, goal) {
        case (.hold, .close), (.hold, .end): .closing
        case (.closing, .end): .ending
        default: nil
        }
    }

    /// When `due` may have something to say, or a held app changes its mind.
    func nextMs(_ goal: Escalation, afterMs: Int64) -> Int64? {
        guard let sinceMs else { return nil }
        switch (step, goal) {
        case (.hold, .close), (.hold, .end), (.closing, _): return sinceMs + afterMs
        default: return nil
        }
    }

    /// Whether its processes have to run for this step: a stopped app closes no window.
    func mustRun(_ goal: Escalation, afterMs: Int64, nowMs: Int64) -> Bool {
        switch step {
        case .hold: false
        // Who stays open all the same is held again.
        case .closing: goal == .end || nowMs - (sinceMs ?? nowMs) < afterMs
        case .ending: true
        }
    }
}
