/// When a report that is followed is made again.
package struct FollowPace: Sendable {
    private let periodMs: Int64
    private var lastMs: Int64?
    private var dueMs: Int64?
    private var hasHeard = false
    /// What was heard reaches those who sum it up at the same moment, so one more look comes after it.
    private var looksAgain = false

    package init(periodMs: Int64) { self.periodMs = periodMs }

    /// Something was used.
    package mutating func heard() { hasHeard = true }

    package func isDue(_ nowMs: Int64) -> Bool {
        guard let lastMs else { return true }
        guard nowMs - lastMs >= periodMs else { return false }
        return hasHeard || looksAgain || dueMs.map { nowMs >= $0 } ?? false
    }

    /// `growsAfterMs` is how soon it is another one although nothing happens; nil is never.
    package mutating func made(_ nowMs: Int64, growsAfterMs: Int64?) {
        looksAgain = hasHeard
        hasHeard = false
        lastMs = nowMs
        dueMs = growsAfterMs.map { nowMs + $0 }
    }
}
