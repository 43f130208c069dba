package enum ReportUsage: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var fromWallMs: Int64
        /// The exclusive end of the period.
        package var toWallMs: Int64
        package var segment: ReportSegmentation
        /// The properties that distinguish rows. If empty, the segments have no rows.
        package var by: [ReportKey]
        /// The members. `nil` means all.
        package var members: [String]?
        package var devices: [String]?
        /// The apps to include, together with `categories` and `sites`. Their usage is added up.
        package var apps: [String]?
        package var categories: [String]?
        package var sites: [String]?
        /// The number of rows that each segment lists. The others are summed up.
        package var top: Int64?
        /// True to include the previous period of the same length.
        package var compares: Bool?
        /// The time zone of days without any usage. `nil` means the zone of this computer.
        package var zone: String?
        /// The first day of a week. 1 is Sunday. `nil` means Monday.
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
        /// The time of the first observation. `nil` if there was none yet.
        package var since: String?
        /// The time up to which usage is known.
        package var updatedAt: String?
        /// True if the report includes usage that is under way.
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
        "Returns the usage of a period in segments such as hours, days or weeks, divided by the requested "
        + "properties."
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
    package static let summary =
        "Returns the members and devices with known usage, and the period that it covers."
}

/// A person with known usage.
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
