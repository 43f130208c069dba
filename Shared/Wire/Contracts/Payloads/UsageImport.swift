/// A device whose past was brought here.
package struct ImportedDevice: WireBody, Codable, Equatable {
    package var device: String
    package var name: String
    package var model: ReportModel
    package var importedAt: String

    package init(device: String, name: String, model: ReportModel, importedAt: String) {
        self.device = device
        self.name = name
        self.model = model
        self.importedAt = importedAt
    }
}

package enum DeviceImported: EventType {
    package typealias Body = ImportedDevice

    package static let stream = StreamName.usage
    package static let type = "usage.device.known"
    package static let summary = "Use of this other device is known from now on."
}

/// Notifications that an app put before somebody.
package struct NotificationCount: WireBody, Codable, Equatable {
    package var member: String
    package var app: String
    package var count: Int64
    package var wallMs: Int64
    package var zone: String
    /// Nil: this one.
    package var device: String?

    package init(
        member: String,
        app: String,
        count: Int64,
        wallMs: Int64,
        zone: String,
        device: String? = nil
    ) {
        self.member = member
        self.app = app
        self.count = count
        self.wallMs = wallMs
        self.zone = zone
        self.device = device
    }
}

package enum UsageNotified: EventType {
    package typealias Body = NotificationCount

    package static let stream = StreamName.usage
    package static let type = "usage.notified"
    package static let summary = "An app put notifications before somebody."
}

package enum UsageNotifications: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?
        package var next: String?

        package init(member: String? = nil, next: String? = nil) {
            self.member = member
            self.next = next
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var rows: [NotificationCount]
        package var next: String?

        package init(rows: [NotificationCount], next: String? = nil) {
            self.rows = rows
            self.next = next
        }
    }

    package static let name = "usage.notifications"
    package static let kind = RouteKind.query
    package static let summary = "The notifications that were counted, oldest first, a page at a time."
}

package enum UsageImport: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// Nil: of this device.
        package var device: ImportedDevice?
        package var rows: [Segment]
        package var notifications: [NotificationCount]
        /// Only says what would come of it.
        package var dryRun: Bool?

        package init(
            device: ImportedDevice? = nil,
            rows: [Segment],
            notifications: [NotificationCount],
            dryRun: Bool? = nil
        ) {
            self.device = device
            self.rows = rows
            self.notifications = notifications
            self.dryRun = dryRun
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var added: Int64
        /// Rows and notifications that are there already.
        package var duplicates: Int64
        /// Rows in whose time something else is known already.
        package var overlapping: Int64
        /// Which rows of the request those are, counted from 0.
        package var overlappingRows: [Int64]?

        package init(added: Int64, duplicates: Int64, overlapping: Int64, overlappingRows: [Int64]? = nil) {
            self.added = added
            self.duplicates = duplicates
            self.overlapping = overlapping
            self.overlappingRows = overlappingRows
        }
    }

    package static let batchMax = 200
    package static let name = "usage.import"
    package static let kind = RouteKind.write
    package static let summary =
        "Takes the past of this or another device into the ledger; what is there already is left out."
}
