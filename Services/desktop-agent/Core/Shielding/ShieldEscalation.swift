import STContracts
import STPlatform

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
    private(set) var since: BootTime?

    /// Starts the wait for the next step. Repeated calls have no effect.
    mutating func begin(_ now: BootTime) {
        if since == nil { since = now }
    }

    /// Returns the step that is due, or nil if there is none.
    func due(_ goal: Escalation, after wait: Duration, now: BootTime) -> Step? {
        guard let since, now - since >= wait else { return nil }
        return nextStep(goal)
    }

    /// Records that the step was taken at this moment.
    mutating func advance(_ next: Step, _ now: BootTime) {
        step = next
        since = now
    }

    private func nextStep(_ goal: Escalation) -> Step? {
        switch (step, goal) {
        case (.pause, .close), (.pause, .end): .closing
        case (.closing, .end): .ending
        default: nil
        }
    }

    /// Returns the boot time at which `due` or `mustRun` may change, or nil if neither can.
    func nextDue(_ goal: Escalation, after wait: Duration) -> BootTime? {
        guard let since else { return nil }
        switch (step, goal) {
        case (.pause, .close), (.pause, .end), (.closing, _): return since + wait
        default: return nil
        }
    }

    /// Returns true if the processes must run during this step, because a stopped app closes no window.
    func needsRunningApp(_ goal: Escalation, after wait: Duration, now: BootTime) -> Bool {
        switch step {
        case .pause: false
        // An app that stays open anyway is paused again.
        case .closing: goal == .end || now - (since ?? now) < wait
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
    static let ageMax: Duration = .seconds(2)

    private(set) var isRequested = false
    private var answeredAt: BootTime?
    private(set) var warnedUntil: BootTime?

    /// True if there was no answer yet.
    var isUnknown: Bool { answeredAt == nil }

    func isWaiting(_ now: BootTime) -> Bool { warnedUntil.map { $0 > now } ?? false }

    func isFresh(_ now: BootTime) -> Bool {
        answeredAt.map { now - Self.ageMax <= $0 && $0 <= now } ?? false
    }

    mutating func beginRequest() { isRequested = true }

    /// Records an answer. Returns true if a warning is due now.
    mutating func receiveAnswer(_ isUnderway: Bool, warning: Duration, _ now: BootTime) -> Bool {
        isRequested = false
        answeredAt = now
        guard isUnderway else {
            warnedUntil = nil
            return false
        }
        guard warnedUntil == nil else { return false }
        warnedUntil = now + warning
        return true
    }

    /// Records that a step was taken. An earlier answer does not count for the next step.
    mutating func reset() {
        if answeredAt != nil { answeredAt = BootTime(ms: .min) }
    }
}
