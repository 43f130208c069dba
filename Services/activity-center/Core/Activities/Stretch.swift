package import STContracts

/// A piece of time that the ledger knows: what was in front of a member, from one moment to another.
package struct Stretch: Sendable, Equatable {
    package var member: String
    package var segment: String
    package var presence: Presence
    package var app: String?
    package var domain: String?
    package var category: String?
    /// A shield was in front of it.
    package var isShielded: Bool
    /// A film, a call or something that fills the screen was under way.
    package var isBusy = false
    package var bootId: String
    package var fromBootMs: Int64
    package var toBootMs: Int64
    /// The wall time at `fromBootMs`; the clock is never set within a stretch.
    package var fromWallMs: Int64
    /// Where it was lived, when that was another machine.
    package var device: String?
    /// It came from there later than it was lived.
    var isLate = false

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

    /// A part of a segment.
    init(_ segment: Segment, fromBootMs: Int64, toBootMs: Int64) {
        self.init(
            member: segment.member,
            segment: segment.segment,
            presence: segment.presence,
            app: segment.app,
            domain: segment.domain,
            category: segment.category,
            isShielded: segment.shielded == true,
            // Keeps boot times of other machines apart, even if another machine sends the boot id of this one.
            bootId: segment.device.map { "\($0)/\(segment.bootId)" } ?? segment.bootId,
            fromBootMs: fromBootMs,
            toBootMs: toBootMs,
            fromWallMs: segment.startWallMs + (fromBootMs - segment.startBootMs)
        )
        device = segment.device
    }

    /// All of a segment.
    init(_ segment: Segment) {
        self.init(segment, fromBootMs: segment.startBootMs, toBootMs: segment.endBootMs)
    }

    /// The moment at which a segment ends, or has come to so far.
    init(endOf segment: Segment) {
        self.init(segment, fromBootMs: segment.endBootMs, toBootMs: segment.endBootMs)
    }

    var endWallMs: Int64 { wallMs(atBootMs: toBootMs) }

    func wallMs(atBootMs bootMs: Int64) -> Int64 { fromWallMs + (bootMs - fromBootMs) }

    /// It saturates, because the moments may be as far away as a number can say.
    func bootMs(atWallMs wallMs: Int64) -> Int64 {
        let (ms, overflow) = wallMs.subtractingReportingOverflow(fromWallMs - fromBootMs)
        return overflow ? (wallMs < 0 ? .min : .max) : ms
    }

    /// The part that lies in a range of wall time.
    func clipped(fromWallMs: Int64, toWallMs: Int64) -> Stretch {
        var part = self
        let start = max(self.fromWallMs, fromWallMs)
        part.fromBootMs = bootMs(atWallMs: start)
        part.toBootMs = max(part.fromBootMs, min(toBootMs, bootMs(atWallMs: toWallMs)))
        part.fromWallMs = start
        return part
    }
}
