/// Returns one usage interval of the ledger, with the observation that opened it.
package enum UsageSegment: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var segment: String?
        package var member: String?
        package var wallMs: Int64?

        package init(segment: String? = nil, member: String? = nil, wallMs: Int64? = nil) {
            self.segment = segment
            self.member = member
            self.wallMs = wallMs
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// The usage interval. `nil` if nothing is known, or if it was deleted.
        package var segment: Segment?
        /// True if the interval is still under way.
        package var isOpen: Bool

        package init(segment: Segment? = nil, isOpen: Bool) {
            self.segment = segment
            self.isOpen = isOpen
        }
    }

    package static let name = "usage.segment"
    package static let kind = RouteKind.query
    package static let summary = "Returns a usage interval by its id, or a member's interval at a given time."
}

/// The source of a usage interval.
package enum SegmentProvenance: String, WireEnum {
    /// An agent observed it.
    case seen
    /// No observation arrived for too long.
    case silence
    /// Boot time advanced without monotonic time, because the machine was asleep.
    case clocks
    /// A file was imported.
    case imported
    /// A script produced it.
    case played
    /// Another machine of the household recorded it.
    case elsewhere
    case unknown
}

/// A usage interval: a period in which one member's presence, foreground app and site did not change.
package struct Segment: WireBody, Codable, Equatable {
    package var segment: String
    package var agent: String
    package var run: String
    /// The sequence number of the observation that opened the interval.
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
    package var knownBy: SegmentProvenance?
    /// The amount by which the wall clock was set just before the interval.
    package var stepMs: Int64?
    /// True if a shield covered the app all the time, so the app was not used.
    ///
    /// `nil` if there was no shield.
    package var shielded: Bool?
    /// The other device on which the interval was recorded. `nil` means this device.
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
        knownBy: SegmentProvenance? = nil,
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

    /// True if this machine did not observe the interval, so its name was not made by this machine.
    package var isExternal: Bool { knownBy == .imported || knownBy == .elsewhere }

    /// Encodes by hand, because every change of focus writes two events and an open interval.
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

    // Decoding is also by hand, because rebuilding the figures reads the usage of years one row at a time.

    package static func decodedBody(_ bytes: [UInt8]) throws -> Segment {
        var draft = Draft()
        try BodyText.read(bytes) { key, cursor in
            guard try draft.readText(key, &cursor) else { return try draft.readRest(key, &cursor) }
        }
        return try draft.makeSegment()
    }

    private struct Draft {
        var segment: String?
        var agent: String?
        var run: String?
        var member: String?
        var presence: String?
        var app: String?
        var domain: String?
        var bootId: String?
        var zone: String?
        var category: String?
        var knownBy: String?
        var device: String?
        var sequence: Int64?
        var startBootMs: Int64?
        var endBootMs: Int64?
        var startWallMs: Int64?
        var stepMs: Int64?
        var shielded: Bool?

        /// Reads a text. Returns false for other values, and leaves the cursor in its place.
        mutating func readText(_ key: Range<Int>, _ cursor: inout JSONCursor) throws -> Bool {
            if cursor.isKey(key, "segment") {
                segment = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "agent") {
                agent = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "run") {
                run = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "member") {
                member = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "presence") {
                presence = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "app") {
                app = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "domain") {
                domain = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "boot_id") {
                bootId = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "zone") {
                zone = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "category") {
                category = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "known_by") {
                knownBy = try cursor.stringIfPresent()
            } else if cursor.isKey(key, "device") {
                device = try cursor.stringIfPresent()
            } else {
                return false
            }
            return true
        }

        mutating func readRest(_ key: Range<Int>, _ cursor: inout JSONCursor) throws {
            if cursor.isKey(key, "sequence") {
                sequence = try cursor.integerIfPresent()
            } else if cursor.isKey(key, "start_boot_ms") {
                startBootMs = try cursor.integerIfPresent()
            } else if cursor.isKey(key, "end_boot_ms") {
                endBootMs = try cursor.integerIfPresent()
            } else if cursor.isKey(key, "start_wall_ms") {
                startWallMs = try cursor.integerIfPresent()
            } else if cursor.isKey(key, "step_ms") {
                stepMs = try cursor.integerIfPresent()
            } else if cursor.isKey(key, "shielded") {
                shielded = try cursor.boolIfPresent()
            } else {
                try cursor.skipValue()
            }
        }

        func makeSegment() throws -> Segment {
            Segment(
                segment: try BodyText.require(segment, "/segment"),
                agent: try BodyText.require(agent, "/agent"),
                run: try BodyText.require(run, "/run"),
                sequence: try BodyText.require(sequence, "/sequence"),
                member: try BodyText.require(member, "/member"),
                presence: Presence(rawValue: try BodyText.require(presence, "/presence")) ?? .unknown,
                app: app,
                domain: domain,
                bootId: try BodyText.require(bootId, "/boot_id"),
                startBootMs: try BodyText.require(startBootMs, "/start_boot_ms"),
                endBootMs: try BodyText.require(endBootMs, "/end_boot_ms"),
                startWallMs: try BodyText.require(startWallMs, "/start_wall_ms"),
                zone: try BodyText.require(zone, "/zone"),
                category: category,
                knownBy: knownBy.map { SegmentProvenance(rawValue: $0) ?? .unknown },
                stepMs: stepMs,
                shielded: shielded,
                device: device
            )
        }
    }
}

package enum SegmentOpened: EventType {
    package typealias Body = Segment

    package static let stream = StreamName.usage
    package static let type = "usage.segment.opened"
    package static let summary =
        "A usage interval opened or continues. `end_boot_ms` is the time of its last observation so far."
    /// The growth of an open interval after which it is announced again.
    package static let everyMs: Int64 = 30_000
    /// The time after the last announcement after which an interval is no longer under way. It includes the permitted silence of an
    /// agent.
    package static let lastsMs = everyMs + 15_000
}

package enum SegmentClosed: EventType {
    package typealias Body = Segment

    package static let stream = StreamName.usage
    package static let type = "usage.segment.closed"
    package static let summary = "A usage interval ended, and its row was added to the ledger."
}

/// Replaces an interval that its person has deleted.
package enum SegmentRedacted: EventType {
    package typealias Body = Empty

    package static let stream = StreamName.usage
    package static let type = "usage.segment.redacted"
    package static let summary = "Replaces an event about usage that its person has deleted."
}
