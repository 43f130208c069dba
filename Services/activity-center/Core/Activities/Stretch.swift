package import STContracts

/// A piece of time that the ledger has just taken in: what was in front of a member, from here to there.
package struct Stretch: Sendable, Equatable {
    package var member: String
    package var segment: String
    package var presence: Presence
    package var app: String?
    package var domain: String?
    package var category: String?
    /// A shield was in front of it.
    package var isShielded: Bool
    package var bootId: String
    package var fromBootMs: Int64
    package var toBootMs: Int64
    /// The wall time at `fromBootMs`; within a stretch nobody set the clock.
    package var fromWallMs: Int64

    package init(
        member: String,
        segment: String,
        presence: Presence,
        app: String?,
        domain: String?,
        category: String?,
        isShielded: Bool = false,
        bootId: String,
        fromBootMs: Int64,
        toBootMs: Int64,
        fromWallMs: Int64
    ) {
        self.member = member
        self.segment = segment
        self.presence = presence
        self.app = app
        self.domain = domain
        self.category = category
        self.isShielded = isShielded
        self.bootId = bootId
        self.fromBootMs = fromBootMs
        self.toBootMs = toBootMs
        self.fromWallMs = fromWallMs
    }

    var endWallMs: Int64 { wallMs(atBootMs: toBootMs) }

    func wallMs(atBootMs bootMs: Int64) -> Int64 { fromWallMs + (bootMs - fromBootMs) }

    /// The moments may be as far away as a number can say.
    func bootMs(atWallMs wallMs: Int64) -> Int64 {
        let (ms, overflow) = wallMs.subtractingReportingOverflow(fromWallMs - fromBootMs)
        return overflow ? (wallMs < 0 ? .min : .max) : ms
    }
}
