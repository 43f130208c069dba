import STContracts

/// How far a shield has gone, and when it goes further.
///
/// Each step waits, so that a person can save what they have; covering and pausing lose nothing and do not wait.
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
        // An app that stays open all the same is held again.
        case .closing: goal == .end || nowMs - (sinceMs ?? nowMs) < afterMs
        case .ending: true
        }
    }
}

/// Whether a step would cut a call or a recording, and how long that still has.
///
/// The agent looks for one before each step that takes something away: the pause, the close, the end. A call that is
/// still under way when its minute is over gets no second warning; a call that began since does.
struct CallWatch: Sendable, Equatable {
    /// An answer older than this says nothing about now.
    static let freshMs: Int64 = 2_000

    private(set) var isAsked = false
    private var answeredMs: Int64?
    private(set) var warnedUntilMs: Int64?

    /// There was no answer yet.
    var isUnknown: Bool { answeredMs == nil }

    func isWaiting(_ nowMs: Int64) -> Bool { warnedUntilMs.map { $0 > nowMs } ?? false }

    func isFresh(_ nowMs: Int64) -> Bool {
        answeredMs.map { nowMs - Self.freshMs <= $0 && $0 <= nowMs } ?? false
    }

    mutating func ask() { isAsked = true }

    /// Whether a warning is due now.
    mutating func answer(_ isUnderway: Bool, warningMs: Int64, _ nowMs: Int64) -> Bool {
        isAsked = false
        answeredMs = nowMs
        guard isUnderway else {
            warnedUntilMs = nil
            return false
        }
        guard warnedUntilMs == nil else { return false }
        warnedUntilMs = nowMs + warningMs
        return true
    }

    /// A step was done: a warning before it does not count for the next one.
    mutating func stepDone() {
        if answeredMs != nil { answeredMs = .min }
    }
}
