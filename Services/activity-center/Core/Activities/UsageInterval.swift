package import STContracts
package import STPlatform

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
    package var fromBoot: BootTime
    package var toBoot: BootTime
    /// The wall time at `fromBoot`. The clock is never set within an interval.
    package var fromWall: WallTime
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
        fromBoot: BootTime,
        toBoot: BootTime,
        fromWall: WallTime
    ) {
        self.member = member
        self.segment = segment
        self.presence = presence
        self.app = app
        self.domain = domain
        self.category = category
        self.isShielded = isShielded
        self.bootId = bootId
        self.fromBoot = fromBoot
        self.toBoot = toBoot
        self.fromWall = fromWall
    }

    /// Creates a part of a segment.
    init(_ segment: Segment, from: BootTime, to: BootTime) {
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
            fromBoot: from,
            toBoot: to,
            fromWall: segment.startWall + (from - segment.startBoot)
        )
        device = segment.device
    }

    init(_ segment: Segment) {
        self.init(segment, from: segment.startBoot, to: segment.endBoot)
    }

    /// Creates an empty stretch at the present end of a segment.
    init(endOf segment: Segment) {
        self.init(segment, from: segment.endBoot, to: segment.endBoot)
    }

    var endWall: WallTime { wall(at: toBoot) }

    func wall(at boot: BootTime) -> WallTime { fromWall + (boot - fromBoot) }

    /// Returns the boot time of a wall time. The result saturates, because the wall time may be any number.
    func boot(at wall: WallTime) -> BootTime {
        BootTime(ms: (wall - .milliseconds(fromWall.ms - fromBoot.ms)).ms)
    }

    /// Returns the part within a range of wall time.
    func clipped(from: WallTime, to: WallTime) -> UsageInterval {
        var part = self
        let start = max(fromWall, from)
        part.fromBoot = boot(at: start)
        part.toBoot = max(part.fromBoot, min(toBoot, boot(at: to)))
        part.fromWall = start
        return part
    }
}

extension Segment {
    var startBoot: BootTime { BootTime(ms: startBootMs) }
    var endBoot: BootTime { BootTime(ms: endBootMs) }
    var startWall: WallTime { WallTime(ms: startWallMs) }
}

extension IntervalSpan {
    var start: WallTime { WallTime(ms: startWallMs) }
    var end: WallTime { WallTime(ms: endWallMs) }
}
