import STContracts

/// Whether a step would cut a call or a recording, and how long that still has; pure.
///
/// Looked for before each step that takes something away: the pause, the close, the end. Who was warned of one and is
/// still at it when the minute is over is not warned again; who has begun another since is.
struct CallWatch: Sendable, Equatable {
    /// An answer older than this says nothing about now.
    static let freshMs: Int64 = 2_000

    private(set) var isAsked = false
    private var answeredMs: Int64?
    private(set) var warnedUntilMs: Int64?

    /// Nobody has answered yet.
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

    /// A step was done: what was said before it is no word about the next.
    mutating func stepDone() {
        if answeredMs != nil { answeredMs = .min }
    }
}
