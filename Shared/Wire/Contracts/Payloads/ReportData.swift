/// A thing of a report as an app sees it: with its own token.
package struct ReportThing: WireBody, Codable, Equatable {
    package var id: String
    package var token: String
    package var name: String

    package init(id: String, token: String, name: String) {
        self.id = id
        self.token = token
        self.name = name
    }
}

/// A part of the use in one segment, as an app sees it.
package struct ReportDataRow: WireBody, Codable, Equatable {
    package var category: ReportThing
    /// Nil: nothing was in front.
    package var application: ReportThing?
    package var webDomain: ReportThing?
    package var usedMs: Int64
    package var pickups: Int64
    package var notifications: Int64

    package init(
        category: ReportThing,
        application: ReportThing? = nil,
        webDomain: ReportThing? = nil,
        usedMs: Int64,
        pickups: Int64,
        notifications: Int64
    ) {
        self.category = category
        self.application = application
        self.webDomain = webDomain
        self.usedMs = usedMs
        self.pickups = pickups
        self.notifications = notifications
    }
}

/// One segment of one person on one device.
package struct ReportDataPart: WireBody, Codable, Equatable {
    package var member: String
    /// What people call the member.
    package var name: String
    package var isChild: Bool
    package var device: ReportDevice
    /// The number of the segment for this person and device; -1 stands for one of whom nothing is known.
    package var number: Int64
    package var startWallMs: Int64
    package var endWallMs: Int64
    package var usedMs: Int64
    package var idlePickups: Int64
    package var firstPickupWallMs: Int64?
    package var longestStartWallMs: Int64?
    package var longestEndWallMs: Int64?
    package var updatedWallMs: Int64
    /// A segment with many rows comes in several parts with one number.
    package var rows: [ReportDataRow]

    package init(
        member: String,
        name: String,
        isChild: Bool,
        device: ReportDevice,
        number: Int64,
        startWallMs: Int64,
        endWallMs: Int64,
        usedMs: Int64,
        idlePickups: Int64,
        firstPickupWallMs: Int64? = nil,
        longestStartWallMs: Int64? = nil,
        longestEndWallMs: Int64? = nil,
        updatedWallMs: Int64,
        rows: [ReportDataRow]
    ) {
        self.member = member
        self.name = name
        self.isChild = isChild
        self.device = device
        self.number = number
        self.startWallMs = startWallMs
        self.endWallMs = endWallMs
        self.usedMs = usedMs
        self.idlePickups = idlePickups
        self.firstPickupWallMs = firstPickupWallMs
        self.longestStartWallMs = longestStartWallMs
        self.longestEndWallMs = longestEndWallMs
        self.updatedWallMs = updatedWallMs
        self.rows = rows
    }
}

package enum ReportData: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var member: String?
        package var filter: ReportFilter
        package var language: String?
        package var next: String?

        package init(
            app: String,
            member: String? = nil,
            filter: ReportFilter,
            language: String? = nil,
            next: String? = nil
        ) {
            self.app = app
            self.member = member
            self.filter = filter
            self.language = language
            self.next = next
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var parts: [ReportDataPart]
        package var next: String?

        package init(parts: [ReportDataPart], next: String? = nil) {
            self.parts = parts
            self.next = next
        }
    }

    package static let name = "report.data"
    package static let kind = RouteKind.query
    package static let isConfidential = true
    package static let summary = "What a filter of an app matches, segment by segment: DeviceActivityResults."
}
