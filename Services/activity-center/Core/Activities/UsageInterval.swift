package import STContracts

/// A part of a segment: the foreground app of one member from one moment to another.
package struct UsageInterval: Sendable, Equatable {
    package var member: String
    package var segment: String
    package var presence: Presence
    package var app: String?
    package var domain: String?
    package var category: String?
    /// True if a shield covered the app.
    package var isShielded: Bool
    /// True if a film, a call or a full-screen app was running.
    package var isBusy = false
    package var bootId: String
    package var fromBootMs: Int64
    package var toBootMs: Int64
    /// The wall time at `fromBootMs`; the clock is never set within a stretch.
    package var fromWallMs: Int64
    /// The device on which the usage took place. `nil` for this machine.
    package var device: String?
    /// True if the usage was reported long after it took place.
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

    /// Creates a part of a segment.
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

    init(_ segment: Segment) {
        self.init(segment, fromBootMs: segment.startBootMs, toBootMs: segment.endBootMs)
    }

    /// Creates an empty stretch at the present end of a segment.
    init(endOf segment: Segment) {
        self.init(segment, fromBootMs: segment.endBootMs, toBootMs: segment.endBootMs)
    }

    var endWallMs: Int64 { wallMs(atBootMs: toBootMs) }

    func wallMs(atBootMs bootMs: Int64) -> Int64 { fromWallMs + (bootMs - fromBootMs) }

    /// Returns the boot time of a wall time. The result saturates, because the wall time may be any number.
    func bootMs(atWallMs wallMs: Int64) -> Int64 {
        let (ms, overflow) = wallMs.subtractingReportingOverflow(fromWallMs - fromBootMs)
        return overflow ? (wallMs < 0 ? .min : .max) : ms
    }

    /// Returns the part within a range of wall time.
    func clipped(fromWallMs: Int64, toWallMs: Int64) -> UsageInterval {
        var part = self
        let start = max(self.fromWallMs, fromWallMs)
        part.fromBootMs = bootMs(atWallMs: start)
        part.toBootMs = max(part.fromBootMs, min(toBootMs, bootMs(atWallMs: toWallMs)))
        part.fromWallMs = start
        return part
    }
}
