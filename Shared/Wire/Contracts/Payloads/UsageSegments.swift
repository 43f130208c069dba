/// How it is known what a stretch of time was.
package enum KnownBy: String, WireEnum {
    /// An agent said so.
    case seen
    /// Nobody said anything for too long.
    case silence
    /// Boot time went on without monotonic time: the machine slept.
    case clocks
    /// It was brought here from a file.
    case imported
    case unknown
}

/// A stretch of time of one member in front of one thing.
package struct Segment: WireBody, Codable, Equatable {
    package var segment: String
    package var agent: String
    package var run: String
    /// Of the observation that opened it.
    package var sequence: Int64
    package var member: String
    package var presence: Presence
    package var app: String?
    package var domain: String?
    package var bootId: String
    package var startBootMs: Int64
    package var endBootMs: Int64
    package var startWallMs: Int64
    package var zone: String
    package var category: String?
    package var knownBy: KnownBy?
    /// How far the wall clock was set just before this stretch.
    package var stepMs: Int64?
    /// A shield was in front of it all the time, so it was not used.
    ///
    /// Nil: there was none.
    package var shielded: Bool?
    /// Where it was lived, when that was another device, whose past was brought here.
    package var device: String?

    package init(
        segment: String,
        agent: String,
        run: String,
        sequence: Int64,
        member: String,
        presence: Presence,
        app: String?,
        domain: String?,
        bootId: String,
        startBootMs: Int64,
        endBootMs: Int64,
        startWallMs: Int64,
        zone: String,
        category: String? = nil,
        knownBy: KnownBy? = nil,
        stepMs: Int64? = nil,
        shielded: Bool? = nil,
        device: String? = nil
    ) {
        self.segment = segment
        self.agent = agent
        self.run = run
        self.sequence = sequence
        self.member = member
        self.presence = presence
        self.app = app
        self.domain = domain
        self.bootId = bootId
        self.startBootMs = startBootMs
        self.endBootMs = endBootMs
        self.startWallMs = startWallMs
        self.zone = zone
        self.category = category
        self.knownBy = knownBy
        self.stepMs = stepMs
        self.shielded = shielded
        self.device = device
    }

    package var durationMs: Int64 { endBootMs - startBootMs }

    /// By hand: two events and an open stretch for every change of focus.
    package func encodedBody() throws -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.field("segment", segment)
        writer.field("agent", agent)
        writer.field("run", run)
        writer.field("sequence", sequence)
        writer.field("member", member)
        writer.field("presence", presence.rawValue)
        writer.field("app", app)
        writer.field("domain", domain)
        writer.field("boot_id", bootId)
        writer.field("start_boot_ms", startBootMs)
        writer.field("end_boot_ms", endBootMs)
        writer.field("start_wall_ms", startWallMs)
        writer.field("zone", zone)
        writer.field("category", category)
        writer.field("known_by", knownBy?.rawValue)
        writer.field("step_ms", stepMs)
        if let shielded { writer.field("shielded", shielded) }
        if let device { writer.field("device", device) }
        return writer.finish()
    }
}

package enum SegmentOpened: EventType {
    package typealias Body = Segment

    package static let stream = StreamName.usage
    package static let type = "usage.segment.opened"
    package static let summary = "Somebody turned to this; `end_boot_ms` is the last beat so far."
}

package enum SegmentClosed: EventType {
    package typealias Body = Segment

    package static let stream = StreamName.usage
    package static let type = "usage.segment.closed"
    package static let summary = "A row of the ledger: this stretch of time is over."
}

/// Stands where a stretch was that its person had forgotten.
package enum SegmentRedacted: EventType {
    package typealias Body = Empty

    package static let stream = StreamName.usage
    package static let type = "usage.segment.redacted"
    package static let summary = "Here was a stretch of time that its person had forgotten."
}
