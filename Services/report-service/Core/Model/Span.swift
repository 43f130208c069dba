import STContracts

/// Time without a break in which somebody was there, was not, or was not seen; in boot time, as the ledger has it.
struct Span: Equatable, Sendable {
    enum Kind: Int64, Sendable {
        case active = 0
        case absent = 1
        case unseen = 2

        init(_ presence: Presence) {
            switch presence {
            case .active: self = .active
            case .idle, .locked, .away, .suspended: self = .absent
            case .unobserved, .unknown: self = .unseen
            }
        }
    }

    /// The wall clock runs a little faster or slower to come right; by more than this it was set.
    private static let stepMs: Int64 = 1_000

    var kind: Kind
    var startBootMs: Int64
    var endBootMs: Int64
    /// These are told of activity alone, which is cut at local midnight, at a journey and where the clock was set.
    var startWallMs: Int64 = 0
    var endWallMs: Int64 = 0
    var zone: Int64 = 0
    var day: Int64 = 0
    /// The thing that was used first, where any was.
    var first: Int64?

    /// Whether a span that begins where this one ends goes on with it.
    func goesOn(with next: Span) -> Bool {
        guard endBootMs == next.startBootMs, kind == next.kind else { return false }
        return kind != .active
            || zone == next.zone && day == next.day && abs(next.startWallMs - endWallMs) <= Self.stepMs
    }

    mutating func append(_ next: Span) {
        endBootMs = next.endBootMs
        endWallMs = next.endWallMs
        first = first ?? next.first
    }
}
