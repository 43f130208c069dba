package enum ReportUsage: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var fromWallMs: Int64
        /// Exclusive.
        package var toWallMs: Int64
        package var segment: ReportSegmentation
        /// What rows tell apart; none gives segments without rows.
        package var by: [ReportKey]
        /// Only of these; nil is all members.
        package var members: [String]?
        package var devices: [String]?
        /// Only these apps, categories or sites; together they add up.
        package var apps: [String]?
        package var categories: [String]?
        package var sites: [String]?
        /// The rows of a segment that are listed one by one; the others are summed up.
        package var top: Int64?
        /// Also the period before, of the same length.
        package var compares: Bool?
        /// The zone for days without any use; nil is the zone of this computer.
        package var zone: String?
        /// The day a week begins with, 1 is Sunday; nil is Monday.
        package var weekday: Int?
        /// The language of the labels.
        package var language: String?
        package var next: String?

        package init(
            fromWallMs: Int64,
            toWallMs: Int64,
            segment: ReportSegmentation,
            by: [ReportKey],
            members: [String]? = nil,
            devices: [String]? = nil,
            apps: [String]? = nil,
            categories: [String]? = nil,
            sites: [String]? = nil,
            top: Int64? = nil,
            compares: Bool? = nil,
            zone: String? = nil,
            weekday: Int? = nil,
            language: String? = nil,
            next: String? = nil
        ) {
            self.fromWallMs = fromWallMs
            self.toWallMs = toWallMs
            self.segment = segment
            self.by = by
            self.members = members
            self.devices = devices
            self.apps = apps
            self.categories = categories
            self.sites = sites
            self.top = top
            self.compares = compares
            self.zone = zone
            self.weekday = weekday
            self.language = language
            self.next = next
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var zone: String
        package var segments: [ReportUsageSegment]
        /// The first moment that was ever seen, or nil before the first.
        package var since: String?
        /// The moment up to which use is known.
        package var updatedAt: String?
        /// Whether a stretch under way is part of it.
        package var isOpen: Bool
        package var next: String?

        package init(
            zone: String,
            segments: [ReportUsageSegment],
            since: String? = nil,
            updatedAt: String? = nil,
            isOpen: Bool,
            next: String? = nil
        ) {
            self.zone = zone
            self.segments = segments
            self.since = since
            self.updatedAt = updatedAt
            self.isOpen = isOpen
            self.next = next
        }
    }

    package static let name = "report.usage"
    package static let kind = RouteKind.query
    package static let summary =
        "Use in a stretch of time, by hours, days or weeks, told apart by what one asks for."
}

package enum ReportCoverage: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        package var members: [ReportMember]
        package var devices: [ReportDevice]
        package var since: String?
        package var updatedAt: String?

        package init(
            members: [ReportMember],
            devices: [ReportDevice],
            since: String? = nil,
            updatedAt: String? = nil
        ) {
            self.members = members
            self.devices = devices
            self.since = since
            self.updatedAt = updatedAt
        }
    }

    package static let name = "report.coverage"
    package static let kind = RouteKind.query
    package static let summary = "Whose use is known, of which devices, and since when."
}

/// A person whose use is known.
package struct ReportMember: WireBody, Codable, Equatable {
    package var member: String
    package var since: String
    package var updatedAt: String

    package init(member: String, since: String, updatedAt: String) {
        self.member = member
        self.since = since
        self.updatedAt = updatedAt
    }
}
