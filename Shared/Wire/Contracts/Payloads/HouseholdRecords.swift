/// A record of a machine in which each row's link covers all rows before it.
package enum LinkedRecord: String, WireEnum, CaseIterable {
    /// What was used.
    case usage
    /// What was changed, and by whom.
    case history
    case unknown
}

/// A row of such a record and its link.
package struct RecordLink: WireBody, Codable, Equatable {
    package var record: LinkedRecord
    package var row: Int64
    /// Hexadecimal digits.
    package var link: String

    package init(record: LinkedRecord, row: Int64, link: String) {
        self.record = record
        self.row = row
        self.link = link
    }
}

/// What a machine says of its records.
package struct RecordWord: WireBody, Codable, Equatable {
    /// The rows whose links the household knows, as it said last: a word that comes late answers none that is noted now.
    package var noted: [String: Int64]
    /// At these rows, and where each record ends.
    package var links: [RecordLink]

    package init(noted: [String: Int64], links: [RecordLink]) {
        self.noted = noted
        self.links = links
    }
}

/// A record of a machine does not go on from where the household had noted it.
package struct RecordBreak: WireBody, Codable, Equatable {
    package var record: LinkedRecord
    /// The row that the household had noted, and when.
    package var row: Int64
    package var notedAt: String
    /// How long the record is now.
    package var rows: Int64
    package var foundAt: String
    /// The number of usage intervals that were missing when the machine restarted its records.
    package var missing: Int64?

    package init(
        record: LinkedRecord,
        row: Int64,
        notedAt: String,
        rows: Int64,
        foundAt: String,
        missing: Int64? = nil
    ) {
        self.missing = missing
        self.record = record
        self.row = row
        self.notedAt = notedAt
        self.rows = rows
        self.foundAt = foundAt
    }
}

/// Takes another key of a machine in place of the one with which it asks.
package enum HouseholdRenew: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var key: String

        package init(key: String) { self.key = key }
    }

    package typealias Reply = Empty

    package static let name = "household.renew"
    package static let kind = RouteKind.write
    package static let access = Access.device
    package static let summary =
        "Takes a new public key of the machine that asks; its old one is refused from then on."
}

/// Makes a new key of the household itself. Its machines hear of it by the old one, and it is taken once all of them know it.
package enum HouseholdRekey: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// Without waiting: machines that do not know it are cut off then.
        package var now: Bool?
        package var proof: Proof?

        package init(now: Bool? = nil, proof: Proof? = nil) {
            self.now = now
            self.proof = proof
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var machines: Int64
        package var known: Int64
        /// The household has it.
        package var isTaken: Bool

        package init(machines: Int64, known: Int64, isTaken: Bool) {
            self.machines = machines
            self.known = known
            self.isTaken = isTaken
        }
    }

    package static let name = "household.rekey"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary =
        "Makes a new key of the household, which it takes once all machines know it. For a child a guardian decides."
}

/// Ends the membership of the machine that sends this request. Its usage stays in reports.
package enum HouseholdLeave: Route {
    package typealias Request = Empty
    package typealias Reply = Empty

    package static let name = "household.leave"
    package static let kind = RouteKind.write
    package static let access = Access.device
    package static let summary = "Ends the membership of the machine that sends this request."
}

/// Takes who uses the machine that asks, where it joined by a token: people come to it later, too.
package enum HouseholdAccounts: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var accounts: [HouseholdAccount]

        package init(accounts: [HouseholdAccount]) { self.accounts = accounts }
    }

    package typealias Reply = Empty

    package static let name = "household.accounts"
    package static let kind = RouteKind.write
    package static let access = Access.device
    package static let summary =
        "Takes who uses the machine that asks, where it joined by a token; it goes on telling from where it stands."
}

/// Where the records of this machine end, and their links at rows that the household has noted.
package enum UsageLinks: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// By record. The household does not say the links: this machine must know them.
        package var rows: [String: Int64]

        package init(rows: [String: Int64]) { self.rows = rows }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var links: [RecordLink]

        package init(links: [RecordLink]) { self.links = links }
    }

    package static let name = "usage.links"
    package static let kind = RouteKind.query
    package static let caller: ServiceName? = .link
    package static let summary =
        "The links of this machine's records, by which the household sees whether its past was changed."
}
