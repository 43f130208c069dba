package import STContracts
import STPlatform
package import STStore

/// The settings that a household keeps the same on all its machines. Stores the last version on which a service of this machine and
/// the household agreed.
///
/// activity-center does the same for rules. Two versions of a rule can apply together, but a setting has one value.
package struct AgreedSettings: Sendable, Equatable {
    package struct Key: Hashable, Comparable, Sendable {
        var member: String
        var id: String

        package init(_ member: String, _ id: String) {
            self.member = member
            self.id = id
        }

        package static func < (one: Key, other: Key) -> Bool {
            (one.member, one.id) < (other.member, other.id)
        }
    }

    private struct Entry: WireBody, Codable, Equatable {
        var agreed: HouseholdRule
        /// The value that applies here instead, if this machine or the household does not accept the other's value.
        var held: HouseholdRule?
        var problem: Problem?
    }

    package static let migration = Migration(
        name: "agreed settings",
        sql: """
            CREATE TABLE agreed_settings (
                member TEXT NOT NULL, id TEXT NOT NULL, entry BLOB NOT NULL, PRIMARY KEY (member, id)
            ) STRICT, WITHOUT ROWID;
            """
    )

    private static let household = "agreed_settings/household"
    private static let rejectedMax = 5

    /// The id of the household, or empty if there is none yet.
    private var household = ""
    private var entries: [Key: Entry] = [:]

    package init() {}

    package init(_ database: Database) throws {
        household = try MetaTable(database).get(Self.household) ?? ""
        // Rows: all, as many as people have chosen, at the start.
        try database.query("SELECT member, id, entry FROM agreed_settings") {
            var entry = try Entry.decodedBody(try $0.blob(2))
            // The household may accept now what it refused before.
            if entry.problem?.code.hasPrefix("household.") == true {
                (entry.held, entry.problem) = (nil, nil)
            }
            entries[Key(try $0.text(0), try $0.text(1))] = entry
        }
    }

    /// Performs one exchange: applies the household's settings, and returns the changes that the household does not have yet.
    ///
    /// `here`: the settings that people have chosen on this machine. `make` applies a setting here. `tells` returns true for a
    /// setting that the household may receive.
    package mutating func exchange(
        _ request: RuleFollow.Request,
        here: [HouseholdRule],
        database: Database,
        tells: (HouseholdRule) -> Bool = { _ in true },
        make: (HouseholdRule) throws -> Void
    ) throws -> RuleFollow.Reply {
        guard max(request.heard.count, request.told.count, request.refused.count) <= HouseholdRules.max else {
            throw Problem(
                "rule.too_many",
                "There are too many rules in one request.",
                key: "rule.too_many.there-are-too",
                field: "/heard"
            )
        }
        try begin(request.household, database)
        var now = Self.keyed(here)
        let told = Self.keyed(request.told)
        for refused in request.refused {
            let key = Key(refused.member, refused.id)
            var entry = entries[key] ?? Self.emptyEntry(key)
            (entry.held, entry.problem) = (told[key], refused.problem)
            try put(entry, key: key, database: database)
        }
        for heard in request.heard where request.members.contains(heard.member) && heard.hasPlainNames {
            let key = Key(heard.member, heard.id)
            guard entries[key] != nil || hasRoom(for: key.member) else { continue }
            let (entry, has) = (entries[key] ?? Self.emptyEntry(key), now[key] ?? Self.emptyEntry(key).agreed)
            var next = Entry(agreed: heard)
            if heard.version == 0 {
                // The household has no such setting, and does not accept the one of this machine.
                next.held = has
                try put(next, key: key, database: database)
                continue
            }
            let isKnown =
                !tells(has) || [entry.agreed, entry.held, told[key]].contains { $0?.isSame(as: has) == true }
            if isKnown, !has.isSame(as: heard) {
                do {
                    try make(heard)
                    now[key] = heard
                } catch let problem as Problem where !problem.code.hasPrefix("store.") {
                    (next.held, next.problem) = (has, problem)
                }
            } else if !isKnown, told[key]?.isSame(as: heard) != true {
                // A person has changed the setting since. The household receives that change first.
                continue
            }
            try put(next, key: key, database: database)
        }
        return try reply(now, members: request.members, tells: tells)
    }

    /// Returns true if a member can have one more setting. A household can send any number of settings.
    private func hasRoom(for member: String) -> Bool {
        entries.keys.count { $0.member == member } < HouseholdRules.keptMax
    }

    /// Deletes the agreed version of a setting, so that the household sends it again.
    package mutating func remove(member: String, id: String, _ database: Database) throws {
        guard entries.removeValue(forKey: Key(member, id)) != nil else { return }
        try database.run(
            "DELETE FROM agreed_settings WHERE member = ? AND id = ?",
            [.text(member), .text(id)]
        )
    }

    private func reply(
        _ now: [Key: HouseholdRule],
        members: [String],
        tells: (HouseholdRule) -> Bool
    ) throws -> RuleFollow.Reply {
        let keys = Set(now.keys).union(entries.keys).filter { members.contains($0.member) }.sorted()
        let changes = keys.compactMap { key -> HouseholdRule? in
            let entry = entries[key] ?? Self.emptyEntry(key)
            var has = now[key] ?? Self.emptyEntry(key).agreed
            guard !has.isSame(as: entry.agreed), entry.held?.isSame(as: has) != true, tells(has) else {
                return nil
            }
            has.version = entry.agreed.version
            return has
        }
        let agreed = keys.compactMap { entries[$0] }
        var bytes = 0
        // A part of a list of sites fills a request. The next exchange sends the rest.
        let fitting = try changes.prefix(HouseholdRules.changesMax).prefix { change in
            let isFirst = bytes == 0
            bytes += try change.encodedBody().count
            return isFirst || bytes <= HouseholdRules.bytesMax
        }
        return RuleFollow.Reply(
            changes: Array(fitting),
            known: agreed.map {
                .init(member: $0.agreed.member, id: $0.agreed.id, version: $0.agreed.version)
            },
            aside: Array(agreed.compactMap(\.problem).prefix(Self.rejectedMax)),
            notices: []
        )
    }

    /// Deletes all agreed settings if the machine belongs to another household now.
    private mutating func begin(_ name: String, _ database: Database) throws {
        guard household != name else { return }
        (household, entries) = (name, [:])
        // Rows: all, when the machine comes into another household.
        try database.run("DELETE FROM agreed_settings")
        try MetaTable(database).set(Self.household, name)
    }

    private mutating func put(_ entry: Entry, key: Key, database: Database) throws {
        guard entries[key] != entry else { return }
        entries[key] = entry
        try database.run(
            "INSERT OR REPLACE INTO agreed_settings (member, id, entry) VALUES (?, ?, ?)",
            [.text(key.member), .text(key.id), .blob(try entry.encodedBody())]
        )
    }

    private static func keyed(_ rules: [HouseholdRule]) -> [Key: HouseholdRule] {
        Dictionary(rules.map { (Key($0.member, $0.id), $0) }) { first, _ in first }
    }

    private static func emptyEntry(_ key: Key) -> Entry { Entry(agreed: .none(key.id, of: key.member)) }
}
