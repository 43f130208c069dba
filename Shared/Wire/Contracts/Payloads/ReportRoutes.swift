/// What the rows of a report stand for.
package enum ReportGrouping: String, WireEnum {
    case app, site, member, unknown
}

package enum ReportDay: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// `2026-11-20`; today where it is absent.
        package var day: String?
        package var member: String?
        package var by: ReportGrouping?
        /// As in the last reply's `next`; absent on the first page.
        package var next: String?

        package init(
            day: String? = nil,
            member: String? = nil,
            by: ReportGrouping? = nil,
            next: String? = nil
        ) {
            self.day = day
            self.member = member
            self.by = by
            self.next = next
        }
    }

    package struct Row: WireBody, Codable, Equatable {
        package var name: String
        package var usedMs: Int64

        package init(name: String, usedMs: Int64) {
            self.name = name
            self.usedMs = usedMs
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var day: String
        package var zone: String
        package var usedMs: Int64
        /// Time in which an agent ran but nobody was at the computer.
        package var absentMs: Int64
        /// Time that nobody saw: never counted as use, never hidden.
        package var unobservedMs: Int64
        /// Time in front of shields, which is no use of what they stand before; nil when there was none.
        package var shieldedMs: Int64?
        package var rows: [Row]
        /// Sent back with the next request while there is more.
        package var next: String?
        /// The first moment this system ever saw, or nil before the first.
        package var since: String?

        package init(
            day: String,
            zone: String,
            usedMs: Int64,
            absentMs: Int64,
            unobservedMs: Int64,
            shieldedMs: Int64? = nil,
            rows: [Row],
            next: String? = nil,
            since: String?
        ) {
            self.day = day
            self.zone = zone
            self.usedMs = usedMs
            self.absentMs = absentMs
            self.unobservedMs = unobservedMs
            self.shieldedMs = shieldedMs
            self.rows = rows
            self.next = next
            self.since = since
        }
    }

    package static let name = "report.day"
    package static let kind = RouteKind.query
    package static let summary = "Use of one local day by app, site or member, the open stretch included."
}
