import STContracts
import STStore

/// Small numbers for long names, which keep the rows of sums small.
struct ReportNames: Sendable {
    /// A member at a device. This computer has an empty name.
    struct UsageOwner: Hashable, Sendable {
        var device: String
        var member: String
    }

    struct UsageSubject: Hashable, Sendable {
        var app: String?
        var category: String?
        var domain: String?

        init(app: String?, category: String?, domain: String?) {
            self.app = app
            self.category = category
            self.domain = domain
        }

        init(_ segment: Segment) {
            self.init(app: segment.app, category: segment.category, domain: segment.domain)
        }
    }

    /// Upper bound on the apps with their sites. Beyond it, sites are no longer distinguished.
    static let thingsMax = 100_000

    /// The lists of names. Number n is at index n - 1.
    private(set) var owners: [UsageOwner] = []
    private(set) var subjects: [UsageSubject] = []
    private(set) var boots: [String] = []
    private(set) var zones: [String] = []
    private var ownerNumbers: [UsageOwner: Int64] = [:]
    private var subjectNumbers: [UsageSubject: Int64] = [:]
    private var bootNumbers: [String: Int64] = [:]
    private var zoneNumbers: [String: Int64] = [:]
    /// Number of names of each list in the database.
    private var savedCounts = (whos: 0, things: 0, boots: 0, zones: 0)

    static let tables = """
        CREATE TABLE whos (
            id INTEGER PRIMARY KEY, device TEXT NOT NULL, member TEXT NOT NULL, first_ms INTEGER, last_ms INTEGER
        ) STRICT;
        CREATE TABLE things (id INTEGER PRIMARY KEY, app TEXT, category TEXT, domain TEXT) STRICT;
        CREATE TABLE boots (id INTEGER PRIMARY KEY, boot TEXT NOT NULL) STRICT;
        CREATE TABLE zones (id INTEGER PRIMARY KEY, zone TEXT NOT NULL) STRICT;
        """

    static func load(_ database: Database) throws -> ReportNames {
        var names = ReportNames()
        // Rows: all, at the start.
        try database.query("SELECT device, member FROM whos ORDER BY id") {
            _ = names.number(UsageOwner(device: try $0.text(0), member: try $0.text(1)))
        }
        // Rows: all, at most 100,000, at the start.
        try database.query("SELECT app, category, domain FROM things ORDER BY id") {
            _ = names.number(
                UsageSubject(
                    app: try $0.optionalText(0),
                    category: try $0.optionalText(1),
                    domain: try $0.optionalText(2)
                )
            )
        }
        // Rows: all, one for each start of a machine, at the start.
        try database.query("SELECT boot FROM boots ORDER BY id") { _ = names.number(boot: try $0.text(0)) }
        try database.query("SELECT zone FROM zones ORDER BY id") { _ = names.number(zone: try $0.text(0)) }
        names.markSaved()
        return names
    }

    mutating func number(_ who: UsageOwner) -> Int64 {
        Self.number(who, list: &owners, numbers: &ownerNumbers)
    }

    mutating func number(_ thing: UsageSubject) -> Int64 {
        var thing = thing
        if subjects.count >= Self.thingsMax, subjectNumbers[thing] == nil { thing.domain = nil }
        return Self.number(thing, list: &subjects, numbers: &subjectNumbers)
    }

    mutating func number(boot: String) -> Int64 { Self.number(boot, list: &boots, numbers: &bootNumbers) }

    mutating func number(zone: String) -> Int64 { Self.number(zone, list: &zones, numbers: &zoneNumbers) }

    func owner(_ number: Int64) -> UsageOwner { owners[Int(number) - 1] }

    func subject(_ number: Int64) -> UsageSubject { subjects[Int(number) - 1] }

    func zone(_ number: Int64) -> String { zones[Int(number) - 1] }

    /// Writes the new names.
    mutating func write(_ database: Database) throws {
        for index in savedCounts.whos..<owners.count {
            try database.run(
                "INSERT INTO whos (id, device, member) VALUES (?, ?, ?)",
                [SQLValue(index + 1), .text(owners[index].device), .text(owners[index].member)]
            )
        }
        for index in savedCounts.things..<subjects.count {
            try database.run(
                "INSERT INTO things (id, app, category, domain) VALUES (?, ?, ?, ?)",
                [
                    SQLValue(index + 1), SQLValue(subjects[index].app), SQLValue(subjects[index].category),
                    SQLValue(subjects[index].domain),
                ]
            )
        }
        for index in savedCounts.boots..<boots.count {
            try database.run(
                "INSERT INTO boots (id, boot) VALUES (?, ?)",
                [SQLValue(index + 1), .text(boots[index])]
            )
        }
        for index in savedCounts.zones..<zones.count {
            try database.run(
                "INSERT INTO zones (id, zone) VALUES (?, ?)",
                [SQLValue(index + 1), .text(zones[index])]
            )
        }
        markSaved()
    }

    private mutating func markSaved() {
        savedCounts = (owners.count, subjects.count, boots.count, zones.count)
    }

    private static func number<Name: Hashable>(
        _ name: Name,
        list: inout [Name],
        numbers: inout [Name: Int64]
    ) -> Int64 {
        if let known = numbers[name] { return known }
        list.append(name)
        let number = Int64(list.count)
        numbers[name] = number
        return number
    }
}
