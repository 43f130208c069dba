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

/// Notifications that an app showed to a person.
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
    package static let summary = "The notifications that were counted, oldest first, a page at a time."
}

package enum UsageImport: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// Nil: of this device.
        package var device: ImportedDevice?
        package var rows: [Segment]
        package var notifications: [NotificationCount]
        /// What this import is called, over all its requests: `usage.forget` takes it back by this name.
        package var name: String?
        /// Whose an import with a name and without rows is: it brought rules alone, and has its line in the history all the same.
        package var member: String?
        /// Only says what would come of it.
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
    package static let isConfidential = true
    package static let summary =
        "Takes the past of this or another device into the ledger; what is there already is left out. For a child a guardian decides."
}

/// Deletes what the ledger holds of one's own past.
package enum UsageForget: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// Whose past; the owner of this account where it is absent.
        package var member: String?
        package var fromWallMs: Int64
        /// Exclusive.
        package var toWallMs: Int64
        /// Only what the import of this name brought, of any member.
        package var imported: String?
        /// The word of a guardian, which it takes in a child's account.
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
        /// Rows whose content is gone.
        package var rows: Int64
        /// Events of theirs that are gone.
        package var events: Int64
        /// Whether there are more in the range: ask again.
        package var more: Bool
        /// Whether a part of the range is still under way and stays until it is over.
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
        "Deletes one's own past, that of a removed member, or what an import brought: whole rows that touch the range."
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
    package static let summary = "A member had a part of their past deleted."
}
