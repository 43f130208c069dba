/// A device whose past usage was imported.
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
    package static let summary = "Announces another device whose usage is in the ledger."
}

/// The number of notifications that an app showed to a person.
package struct NotificationCount: WireBody, Codable, Equatable {
    package var member: String
    package var app: String
    package var count: Int64
    package var wallMs: Int64
    package var zone: String
    /// The device. `nil` means this one.
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
    package static let summary = "An app showed notifications to a person."
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
    package static let summary = "Lists the counted notifications, oldest first, a page at a time."
}

package enum UsageImport: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The device of the usage. `nil` means this one.
        package var device: ImportedDevice?
        package var rows: [Segment]
        package var notifications: [NotificationCount]
        /// The name of the import, which is the same in all its requests. `usage.forget` removes an import by its name.
        package var name: String?
        /// The member of an import with a name and without rows. Such an import contains only rules, and also has a line in the
        /// history.
        package var member: String?
        /// True to return the result without an import.
        package var dryRun: Bool?
        package var proof: Proof?

        package init(
            device: ImportedDevice? = nil,
            rows: [Segment],
            notifications: [NotificationCount],
            name: String? = nil,
            member: String? = nil,
            dryRun: Bool? = nil,
            proof: Proof? = nil
        ) {
            self.device = device
            self.rows = rows
            self.notifications = notifications
            self.name = name
            self.member = member
            self.dryRun = dryRun
            self.proof = proof
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var added: Int64
        /// The number of rows and notifications that already exist.
        package var duplicates: Int64
        /// The number of rows in whose time other usage is already known.
        package var overlapping: Int64
        /// The indices of the overlapping rows in the request, from 0.
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
    package static let isConfidential = true
    package static let summary =
        "Adds past usage of this or another device to the ledger, and skips rows that already exist or "
        + "overlap. For a child's usage, requires a guardian's passcode if one is set."
}

/// Deletes a person's own recorded usage.
package enum UsageForget: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The member. `nil` means the owner of this account.
        package var member: String?
        package var fromWallMs: Int64
        /// The exclusive end of the period.
        package var toWallMs: Int64
        /// The name of an import. If set, only the rows of that import are deleted, of any member.
        package var imported: String?
        /// The proof of a guardian, which a child's account requires.
        package var proof: Proof?

        package init(
            member: String? = nil,
            fromWallMs: Int64,
            toWallMs: Int64,
            imported: String? = nil,
            proof: Proof? = nil
        ) {
            self.member = member
            self.fromWallMs = fromWallMs
            self.toWallMs = toWallMs
            self.imported = imported
            self.proof = proof
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var member: String
        /// The number of rows whose content was deleted.
        package var rows: Int64
        /// The number of deleted events about these rows.
        package var events: Int64
        /// True if the period contains more rows. Send the request again.
        package var more: Bool
        /// True if a part of the period is still under way. That part remains until it has ended.
        package var keptOpen: Bool

        package init(member: String, rows: Int64, events: Int64, more: Bool, keptOpen: Bool) {
            self.member = member
            self.rows = rows
            self.events = events
            self.more = more
            self.keptOpen = keptOpen
        }
    }

    package static let name = "usage.forget"
    package static let kind = RouteKind.write
    package static let summary =
        "Deletes past usage of the account's owner, of a removed member, or of an import. "
        + "Rows that overlap the period are deleted completely."
}

package enum UsageForgotten: EventType {
    package struct Body: WireBody, Codable, Equatable {
        package var member: String
        package var fromWallMs: Int64
        package var toWallMs: Int64
        package var rows: Int64

        package init(member: String, fromWallMs: Int64, toWallMs: Int64, rows: Int64) {
            self.member = member
            self.fromWallMs = fromWallMs
            self.toWallMs = toWallMs
            self.rows = rows
        }
    }

    package static let stream = StreamName.usage
    package static let type = "usage.forgotten"
    package static let summary = "A member's usage in a period was deleted."
}
