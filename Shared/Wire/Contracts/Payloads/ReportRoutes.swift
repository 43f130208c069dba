/// The objects that the rows of a report represent.
package enum ReportGrouping: String, WireEnum {
    case app, site, member, unknown
}

package enum ReportDay: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The day, such as `2026-11-20`. `nil` means today.
        package var day: String?
        package var member: String?
        package var by: ReportGrouping?
        /// `next` of the last reply. `nil` for the first page.
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
        /// The time in which an agent ran without a person at the computer.
        package var absentMs: Int64
        /// The time that no agent observed. It never counts as usage and is never hidden.
        package var unobservedMs: Int64
        /// The time in front of shields, which does not count as usage of the covered apps. `nil` if there was none.
        package var shieldedMs: Int64?
        package var rows: [Row]
        /// The value for the next request, if there are more rows.
        package var next: String?
        /// The time of the first observation. `nil` if there was none yet.
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
    package static let summary =
        "Returns the usage of one local day by app, site or member, including usage that is under way."
}

package enum ReportLog: Route {
    package typealias Request = MonitorLog.Request

    package typealias Reply = MonitorLog.Reply

    package static let name = "report.log"
    package static let kind = RouteKind.query
    package static let summary = "Returns log lines of an app's report extension, oldest first."
}

/// The length of one segment of a report.
package enum ReportSegmentation: String, WireEnum {
    case hour
    case day
    case week
    case whole
    case unknown
}

/// The people whose usage is reported, in relation to the person of the app.
package enum ReportUsers: String, WireEnum {
    case current
    case all
    case children
    case unknown
}

/// The kinds of devices, by Apple's names.
package enum ReportModel: String, WireEnum {
    case iPhone = "iphone"
    case iPod = "ipod"
    case iPad = "ipad"
    case mac
    case unknown
}

/// The filter of an app's report, like Apple's `DeviceActivityFilter`.
package struct ReportFilter: WireBody, Codable, Equatable {
    package var segment: ReportSegmentation
    package var fromWallMs: Int64
    /// The exclusive end of the period.
    package var toWallMs: Int64
    /// The people. `nil` means the person for whom the app requests the report.
    package var users: ReportUsers?
    /// The kinds of devices. `nil` means this device, and an empty list means all devices.
    package var models: [ReportModel]?
    /// The tokens of apps, in base64. If there are no tokens of any kind, all usage counts.
    package var applications: [String]
    package var categories: [String]
    package var webDomains: [String]
    /// The first day of a week. 1 is Sunday. `nil` means Monday.
    package var weekday: Int?

    package init(
        segment: ReportSegmentation,
        fromWallMs: Int64,
        toWallMs: Int64,
        users: ReportUsers? = nil,
        models: [ReportModel]? = nil,
        applications: [String],
        categories: [String],
        webDomains: [String],
        weekday: Int? = nil
    ) {
        self.segment = segment
        self.fromWallMs = fromWallMs
        self.toWallMs = toWallMs
        self.users = users
        self.models = models
        self.applications = applications
        self.categories = categories
        self.webDomains = webDomains
        self.weekday = weekday
    }
}

/// The properties that distinguish the rows of a segment.
package enum ReportKey: String, WireEnum {
    case app
    case category
    case site
    case member
    case device
    case unknown
}

/// A device with known usage.
package struct ReportDevice: WireBody, Codable, Equatable {
    package var device: String
    package var name: String
    package var model: ReportModel
    /// True for the device on which the service runs.
    package var isThis: Bool

    /// The id of this device in requests and rows. Recorded usage of this device has no device id.
    package static let this = "this"

    package init(device: String, name: String, model: ReportModel, isThis: Bool) {
        self.device = device
        self.name = name
        self.model = model
        self.isThis = isThis
    }
}

/// A part of the usage in one segment.
package struct ReportUsageRow: WireBody, Codable, Equatable {
    package var app: String?
    package var category: String?
    package var site: String?
    package var member: String?
    package var device: String?
    /// The displayed name in the requested language.
    package var label: String?
    package var usedMs: Int64
    package var pickups: Int64
    package var notifications: Int64
    /// The usage in the previous period, if it was requested.
    package var beforeMs: Int64?

    package init(
        app: String? = nil,
        category: String? = nil,
        site: String? = nil,
        member: String? = nil,
        device: String? = nil,
        label: String? = nil,
        usedMs: Int64,
        pickups: Int64,
        notifications: Int64,
        beforeMs: Int64? = nil
    ) {
        self.app = app
        self.category = category
        self.site = site
        self.member = member
        self.device = device
        self.label = label
        self.usedMs = usedMs
        self.pickups = pickups
        self.notifications = notifications
        self.beforeMs = beforeMs
    }
}

/// A segment of a report: an hour, a day, a week, or the whole requested period.
package struct ReportUsageSegment: WireBody, Codable, Equatable {
    package var startWallMs: Int64
    package var endWallMs: Int64
    /// The local day on which the segment begins, such as `2026-11-20`.
    package var day: String
    package var usedMs: Int64
    package var absentMs: Int64
    package var unobservedMs: Int64
    package var shieldedMs: Int64
    package var pickups: Int64
    /// The number of pickups after which no app was used.
    package var idlePickups: Int64
    package var notifications: Int64
    package var firstPickupWallMs: Int64?
    package var longestStartWallMs: Int64?
    package var longestEndWallMs: Int64?
    /// The usage in the previous period, if it was requested.
    package var beforeMs: Int64?
    package var rows: [ReportUsageRow]
    /// The usage of the rows beyond the requested number. `restCount` is the number of these rows.
    package var restMs: Int64?
    package var restCount: Int64?

    package init(
        startWallMs: Int64,
        endWallMs: Int64,
        day: String,
        usedMs: Int64,
        absentMs: Int64,
        unobservedMs: Int64,
        shieldedMs: Int64,
        pickups: Int64,
        idlePickups: Int64,
        notifications: Int64,
        firstPickupWallMs: Int64? = nil,
        longestStartWallMs: Int64? = nil,
        longestEndWallMs: Int64? = nil,
        beforeMs: Int64? = nil,
        rows: [ReportUsageRow],
        restMs: Int64? = nil,
        restCount: Int64? = nil
    ) {
        self.startWallMs = startWallMs
        self.endWallMs = endWallMs
        self.day = day
        self.usedMs = usedMs
        self.absentMs = absentMs
        self.unobservedMs = unobservedMs
        self.shieldedMs = shieldedMs
        self.pickups = pickups
        self.idlePickups = idlePickups
        self.notifications = notifications
        self.firstPickupWallMs = firstPickupWallMs
        self.longestStartWallMs = longestStartWallMs
        self.longestEndWallMs = longestEndWallMs
        self.beforeMs = beforeMs
        self.rows = rows
        self.restMs = restMs
        self.restCount = restCount
    }
}
