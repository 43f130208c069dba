/// A record of a machine in which the link of each row covers all rows before it.
package enum LinkedRecord: String, WireEnum, CaseIterable {
    /// The usage of the machine.
    case usage
    /// The changes on the machine, and the people who made them.
    case history
    case unknown
}

/// A row of a linked record and its link.
package struct RecordLink: WireBody, Codable, Equatable {
    package var record: LinkedRecord
    package var row: Int64
    /// The link in hexadecimal digits.
    package var link: String

    package init(record: LinkedRecord, row: Int64, link: String) {
        self.record = record
        self.row = row
        self.link = link
    }
}

/// A machine's report about its records.
package struct RecordDigest: WireBody, Codable, Equatable {
    /// The rows whose links the household has noted, according to its last reply. A report that is based on older notes is not
    /// compared.
    package var noted: [String: Int64]
    /// The links at these rows, and at the end of each record.
    package var links: [RecordLink]

    package init(noted: [String: Int64], links: [RecordLink]) {
        self.noted = noted
        self.links = links
    }
}

/// A record of a machine that does not continue from the row that the household had noted.
package struct RecordBreak: WireBody, Codable, Equatable {
    package var record: LinkedRecord
    /// The row that the household had noted. `notedAt` is the time of the note.
    package var row: Int64
    package var notedAt: String
    /// The current number of rows in the record.
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

/// Replaces the public key of the machine that sends this request.
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
        "Replaces the public key of the machine that sends this request. "
        + "The household then rejects the old key."
}

/// Creates a new key of the household. Its machines receive the new key under the old one. The household adopts it once all of them
/// have it.
package enum HouseholdRekey: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// True to adopt the new key immediately. Machines that do not have it are cut off.
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
        /// True if the household has adopted the new key.
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
        "Creates the household's next key, which takes effect once all machines have received it. "
        + "On a child's machine, requires a guardian's passcode if one is set."
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

/// Sets the people who use the machine that sends this request, if it joined by a token. Such a machine can get new people later.
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
        "Sets the people who use the requesting machine, which must have joined with a token. "
        + "The machine continues its upload from the same position."
}

/// Returns the ends of this machine's records, and the links at rows that the household has noted.
package enum UsageLinks: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The row of each record. The request does not contain the links, because this machine must have them itself.
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
        "Returns links of this machine's hash chains, with which the household detects changes to old "
        + "records."
}
