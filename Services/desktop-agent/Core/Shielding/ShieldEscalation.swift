import STContracts

/// The step that a shield has reached, and the time of the next one.
///
/// Each step waits, so that a person can save their work. Covers and pauses lose nothing, and do not wait.
struct ShieldEscalation: Sendable, Equatable {
    enum Step: Sendable, Equatable {
        case pause
        /// The windows were asked to close.
        case closing
        /// The processes were asked to end.
        case ending
    }

    private(set) var step = Step.pause
    /// The boot time at which the step began. `nil` if it has not begun.
    private(set) var sinceMs: Int64?

    /// Starts the wait for the next step. Repeated calls have no effect.
    mutating func begin(_ nowMs: Int64) {
        if sinceMs == nil { sinceMs = nowMs }
    }

    /// Returns the step that is due, or nil if there is none.
    func due(_ goal: Escalation, afterMs: Int64, nowMs: Int64) -> Step? {
        guard let sinceMs, nowMs - sinceMs >= afterMs else { return nil }
        return nextStep(goal)
    }

    /// Records that the step was taken at this moment.
    mutating func advance(_ next: Step, _ nowMs: Int64) {
        step = next
        sinceMs = nowMs
    }

    private func nextStep(_ goal: Escalation) -> Step? {
        switch (step, goal) {
        case (.pause, .close), (.pause, .end): .closing
        case (.closing, .end): .ending
        default: nil
        }
    }

    /// Returns the boot time at which `due` or `mustRun` may change, or nil if neither can.
    func nextMs(_ goal: Escalation, afterMs: Int64) -> Int64? {
        guard let sinceMs else { return nil }
        switch (step, goal) {
        case (.pause, .close), (.pause, .end), (.closing, _): return sinceMs + afterMs
        default: return nil
        }
    }

    /// Returns true if the processes must run during this step, because a stopped app closes no window.
    func needsRunningApp(_ goal: Escalation, afterMs: Int64, nowMs: Int64) -> Bool {
        switch step {
        case .pause: false
        // An app that stays open anyway is paused again.
        case .closing: goal == .end || nowMs - (sinceMs ?? nowMs) < afterMs
        case .ending: true
        }
    }
}

/// The search for a call or a recording that a step would interrupt, and the remaining time of such a call.
///
/// The agent searches before each step that takes something away: the pause, the close, the end. If a call continues after its
/// minute, there is no second warning. A call that began later gets its own warning.
struct CallCheck: Sendable, Equatable {
    /// The age above which an answer is out of date.
    static let freshMs: Int64 = 2_000

    private(set) var isRequested = false
    private var answeredMs: Int64?
    private(set) var warnedUntilMs: Int64?

    /// True if there was no answer yet.
    var isUnknown: Bool { answeredMs == nil }

    func isWaiting(_ nowMs: Int64) -> Bool { warnedUntilMs.map { $0 > nowMs } ?? false }

    func isFresh(_ nowMs: Int64) -> Bool {
        answeredMs.map { nowMs - Self.freshMs <= $0 && $0 <= nowMs } ?? false
    }

    mutating func beginRequest() { isRequested = true }

    /// Records an answer. Returns true if a warning is due now.
    mutating func receiveAnswer(_ isUnderway: Bool, warningMs: Int64, _ nowMs: Int64) -> Bool {
        isRequested = false
        answeredMs = nowMs
        guard isUnderway else {
            warnedUntilMs = nil
            return false
        }
        guard warnedUntilMs == nil else { return false }
        warnedUntilMs = nowMs + warningMs
        return true
    }

    /// Records that a step was taken. An earlier answer does not count for the next step.
    mutating func reset() {
        if answeredMs != nil { answeredMs = .min }
    }
}
