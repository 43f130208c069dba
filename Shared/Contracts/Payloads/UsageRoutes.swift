package import STPlatform

/// Whether somebody is there.
package enum Presence: String, WireEnum {
    case active, idle, locked, away, suspended, unobserved, unknown
}

/// "From now on this is in front, and somebody is there": a transition, or the beat that says it is still so.
package struct Observation: WireBody, Codable, Equatable {
    package var sequence: Int64
    package var bootId: String
    package var bootMs: Int64
    package var monotonicMs: Int64
    package var wallMs: Int64
    package var zone: String
    package var member: String
    package var presence: Presence
    package var app: String?
    package var domain: String?

    package enum CodingKeys: String, CodingKey {
        case sequence, zone, member, presence, app, domain
        case bootId = "boot_id"
        case bootMs = "boot_ms"
        case monotonicMs = "monotonic_ms"
        case wallMs = "wall_ms"
    }

    package init(
        sequence: Int64,
        bootId: String,
        at reading: TimeReading,
        zone: String,
        member: String,
        presence: Presence,
        app: String?,
        domain: String? = nil
    ) {
        self.sequence = sequence
        self.bootId = bootId
        bootMs = reading.bootMs
        monotonicMs = reading.monotonicMs
        wallMs = reading.wallMs
        self.zone = zone
        self.member = member
        self.presence = presence
        self.app = app
        self.domain = domain
    }

    package var reading: TimeReading { TimeReading(wallMs: wallMs, bootMs: bootMs, monotonicMs: monotonicMs) }
}

package enum UsageObserve: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var agent: String
        /// Random at each start of the agent: `(agent, run, sequence)` makes a repeat harmless.
        package var run: String
        package var observations: [Observation]

        package init(agent: String, run: String, observations: [Observation]) {
            self.agent = agent
            self.run = run
            self.observations = observations
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var acceptedThrough: Int64
        package var duplicates: Int64

        package enum CodingKeys: String, CodingKey {
            case duplicates
            case acceptedThrough = "accepted_through"
        }

        package init(acceptedThrough: Int64, duplicates: Int64) {
            self.acceptedThrough = acceptedThrough
            self.duplicates = duplicates
        }
    }

    package static let batchMax = 200
    /// Of an agent, a run, an app or a domain.
    package static let nameBytesMax = 256
    package static let name = "usage.observe"
    package static let kind = RouteKind.write
    package static let summary = "Takes what the desktop saw; answered once it is in the ledger."
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

    package enum CodingKeys: String, CodingKey {
        case segment, agent, run, sequence, member, presence, app, domain, zone
        case bootId = "boot_id"
        case startBootMs = "start_boot_ms"
        case endBootMs = "end_boot_ms"
        case startWallMs = "start_wall_ms"
    }

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
        zone: String
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
    }

    package var durationMs: Int64 { endBootMs - startBootMs }
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

/// Rows of the ledger in the order in which they were written.
package enum UsageList: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var next: String?
        package var limit: Int64?

        package init(next: String? = nil, limit: Int64? = nil) {
            self.next = next
            self.limit = limit
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var rows: [Segment]
        package var next: String?

        package init(rows: [Segment], next: String?) {
            self.rows = rows
            self.next = next
        }
    }

    package static let name = "usage.list"
    package static let kind = RouteKind.query
    package static let summary = "The rows of the ledger, oldest first, a page at a time."
}

/// What is in front at this moment, for every member seen.
package enum UsageNow: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        package var open: [Segment]

        package init(open: [Segment]) { self.open = open }
    }

    package static let name = "usage.now"
    package static let kind = RouteKind.read
    package static let summary = "The stretch of time still open, for every member seen."
}
