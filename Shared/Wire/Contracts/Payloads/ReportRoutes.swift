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
        /// Time in which an agent ran without a person at the computer.
        package var absentMs: Int64
        /// Time that no agent saw: never counted as use, never hidden.
        package var unobservedMs: Int64
        /// Time in front of shields, which does not count as use of what they cover; nil when there was none.
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

package enum ReportLog: Route {
    package typealias Request = MonitorLog.Request

    package typealias Reply = MonitorLog.Reply

    package static let name = "report.log"
    package static let kind = RouteKind.query
    package static let summary = "What an app's report extension wrote, oldest first."
}

/// What one segment of a report is.
package enum ReportSegmentation: String, WireEnum {
    case hour
    case day
    case week
    case whole
    case unknown
}

/// Whose use, from where an app stands.
package enum ReportUsers: String, WireEnum {
    case current
    case all
    case children
    case unknown
}

/// What kind of device, by Apple's names.
package enum ReportModel: String, WireEnum {
    case iPhone = "iphone"
    case iPod = "ipod"
    case iPad = "ipad"
    case mac
    case unknown
}

/// What an app asks to see: DeviceActivityFilter.
package struct ReportFilter: WireBody, Codable, Equatable {
    package var segment: ReportSegmentation
    package var fromWallMs: Int64
    /// Exclusive.
    package var toWallMs: Int64
    /// Nil means the person for whom the app asks.
    package var users: ReportUsers?
    /// Nil is this device; none is all of them.
    package var models: [ReportModel]?
    /// Tokens in base64; with no token of any kind everything counts.
    package var applications: [String]
    package var categories: [String]
    package var webDomains: [String]
    /// The day a week begins with, 1 is Sunday; nil is Monday.
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

/// What the rows of a segment tell apart.
package enum ReportKey: String, WireEnum {
    case app
    case category
    case site
    case member
    case device
    case unknown
}

/// A device that use is known of.
package struct ReportDevice: WireBody, Codable, Equatable {
    package var device: String
    package var name: String
    package var model: ReportModel
    /// The one this runs on.
    package var isThis: Bool

    /// What that one is called in requests and rows: its own use comes without a device.
    package static let this = "this"

    package init(device: String, name: String, model: ReportModel, isThis: Bool) {
        self.device = device
        self.name = name
        self.model = model
        self.isThis = isThis
    }
}

/// A part of the use in one segment.
package struct ReportUsageRow: WireBody, Codable, Equatable {
    package var app: String?
    package var category: String?
    package var site: String?
    package var member: String?
    package var device: String?
    /// What people call it, in the language asked for.
    package var label: String?
    package var usedMs: Int64
    package var pickups: Int64
    package var notifications: Int64
    /// In the period before, where that was asked for.
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

/// A stretch of a report: an hour, a day, a week, or all that was asked for.
package struct ReportUsageSegment: WireBody, Codable, Equatable {
    package var startWallMs: Int64
    package var endWallMs: Int64
    /// The local day it begins with, such as `2026-11-20`.
    package var day: String
    package var usedMs: Int64
    package var absentMs: Int64
    package var unobservedMs: Int64
    package var shieldedMs: Int64
    package var pickups: Int64
    /// Those after which nothing was used.
    package var idlePickups: Int64
    package var notifications: Int64
    package var firstPickupWallMs: Int64?
    package var longestStartWallMs: Int64?
    package var longestEndWallMs: Int64?
    /// Used in the period before, where that was asked for.
    package var beforeMs: Int64?
    package var rows: [ReportUsageRow]
    /// What is left of the rows beyond the asked number, together.
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
