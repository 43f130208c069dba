import STContracts
import STEngine
import STPlatform
import STStore

/// The tables of the rules, of their decisions, of members' delays, and of the rules of a household.
enum RuleTables {
    static let migration = Migration(
        name: "rules",
        sql: """
            CREATE TABLE rules (id TEXT PRIMARY KEY, rule BLOB NOT NULL) STRICT;
            CREATE TABLE rule_delays (member TEXT PRIMARY KEY, delay BLOB NOT NULL) STRICT;
            CREATE TABLE rule_shields (
                member TEXT NOT NULL, rule TEXT NOT NULL, decision BLOB NOT NULL, PRIMARY KEY (member, rule)
            ) STRICT;
            CREATE TABLE shared_rules (
                member TEXT NOT NULL, id TEXT NOT NULL, rule BLOB NOT NULL, PRIMARY KEY (member, id)
            ) STRICT, WITHOUT ROWID;
            """
    )

    private static let household = "rules/household"

    /// Copies the rules of an earlier version from the database of monitor-runner, once, and publishes their decisions.
    ///
    /// activity-center does not write to that database. The transaction also marks the rules as moved, so that an interrupted move
    /// is repeated at the next start. If the database cannot be read, the ledger still works. Requests for rules fail with the
    /// reason, and the next start tries again.
    static func copyFormerRules(_ state: inout ActivityState, _ change: StoreTransaction) throws {
        let meta = MetaTable(change.database)
        guard try meta.get(RuleMigration.mark) == nil else { return }
        state.rules.moveProblem = nil
        let former: RuleState?
        do {
            // If a person has already added rules here, they stay and the former ones are ignored.
            former = try state.rules.rules.isEmpty ? FormerRules.read(change) : nil
        } catch {
            let problem = Problem(error)
            // The file exists but is not set up yet. Without the mark, the next start tries again.
            if problem.code == StoreProblem.foreignFile { return }
            state.rules.moveProblem = Problem(
                "rule.not_moved",
                """
                The rules of the earlier version could not be read: \(problem.text, "message") Restore \
                the database of monitor-runner from a backup, and restart Screen Time.
                """
            )
            return
        }
        try meta.set(RuleMigration.mark, "1")
        guard var book = former else { return }
        book.strings = state.noticeStrings
        // The oldest versions saved no decisions. The stream must contain them before services follow it.
        book.updateShields(now: change.now.wall)
        book.strings = state.rules.strings
        let difference = RuleDifference(from: RuleState(), to: book)
        try save(book, after: RuleState(), difference: difference, database: change.database)
        for place in difference.places { try book.shields.publish(place, change) }
        state.rules = book
        state.uncheckedRules = nil
        state.rules.deriveWatches(from: state.activities)
    }

    static func load(_ database: Database) throws -> RuleState {
        var book = try loadRules(database)
        book.shields = try loadShields(database)
        book.delays = try loadDelays(database)
        book.sharing = try loadSharing(database)
        return book
    }

    static func loadRules(_ database: Database) throws -> RuleState {
        var book = RuleState()
        let rules = try database.query("SELECT rule FROM rules") { try Rule.decodedBody(try $0.blob(0)) }
        for rule in rules { book.rules[rule.id] = rule }
        return book
    }

    static func loadSharing(_ database: Database) throws -> RuleSharing {
        var sharing = RuleSharing()
        sharing.household = try MetaTable(database).get(household) ?? ""
        let rules = try database.query("SELECT rule FROM shared_rules") {
            try SharedRule.decodedBody(try $0.blob(0))
        }
        for rule in rules { sharing.rules[rule.key] = rule }
        return sharing
    }

    /// Saves the differences between two books.
    static func save(
        _ book: RuleState,
        after old: RuleState,
        difference: RuleDifference,
        database: Database
    ) throws {
        for id in difference.rules { try save(id: id, rule: book.rules[id], database: database) }
        for place in difference.places {
            try save(place, decision: book.shields.decisions[place], database: database)
        }
        try save(book.delays, after: old.delays, database)
        try save(book.sharing, after: old.sharing, database)
    }

    private static func save(id: String, rule: Rule?, database: Database) throws {
        guard let rule else {
            try database.run("DELETE FROM rules WHERE id = ?", [.text(id)])
            return
        }
        try database.run(
            """
            INSERT INTO rules (id, rule) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET rule = excluded.rule
            """,
            [.text(id), .blob(try rule.encodedBody())]
        )
    }

    private static func save(_ sharing: RuleSharing, after old: RuleSharing, _ database: Database) throws {
        guard sharing != old else { return }
        if sharing.household != old.household { try MetaTable(database).set(household, sharing.household) }
        for key in Set(old.rules.keys).union(sharing.rules.keys) where old.rules[key] != sharing.rules[key] {
            guard let rule = sharing.rules[key] else {
                try database.run(
                    "DELETE FROM shared_rules WHERE member = ? AND id = ?",
                    [.text(key.member), .text(key.id)]
                )
                continue
            }
            try database.run(
                "INSERT OR REPLACE INTO shared_rules (member, id, rule) VALUES (?, ?, ?)",
                [.text(key.member), .text(key.id), .blob(try rule.encodedBody())]
            )
        }
    }

    // MARK: - Delays

    static func loadDelays(_ database: Database) throws -> [String: MemberDelay] {
        let all = try database.query("SELECT member, delay FROM rule_delays") {
            (try $0.text(0), try MemberDelay.decodedBody(try $0.blob(1)))
        }
        return Dictionary(all) { $1 }
    }

    /// Saves changed delays. Rows are never deleted: a delay that ends is 0.
    private static func save(
        _ delays: [String: MemberDelay],
        after old: [String: MemberDelay],
        _ database: Database
    )
        throws
    {
        for (member, delay) in delays where old[member] != delay {
            try database.run(
                "INSERT OR REPLACE INTO rule_delays (member, delay) VALUES (?, ?)",
                [.text(member), .blob(try delay.encodedBody())]
            )
        }
    }

    // MARK: - Shields

    /// The rule's id in the row of the always-allowed list. No rule has an empty id.
    private static let allowed = ""

    private struct Row: WireBody, Codable {
        var settings: [String: JSONValue]?
        var items: [TokenItem]?
        var cause: String?
    }

    static func loadShields(_ database: Database) throws -> RuleShields {
        var book = RuleShields()
        try database.query("SELECT * FROM rule_shields") { row in
            let member = try row.text(0)
            let rule = try row.text(1)
            let decision = try Row.decodedBody(try row.blob(2))
            let want: DesiredShield =
                decision.settings.map { .storing($0) } ?? decision.items.map { .allowing($0) } ?? .clear
            let place: RuleShields.Place =
                rule == allowed ? .allowed(member: member) : .store(member: member, rule: rule)
            book.decisions[place] = RuleShields.Decision(shield: want, cause: decision.cause)
        }
        return book
    }

    private static func save(
        _ place: RuleShields.Place,
        decision: RuleShields.Decision?,
        database: Database
    ) throws {
        var rule = allowed
        if case .store(_, let name) = place { rule = name }
        guard let decision else {
            try database.run(
                "DELETE FROM rule_shields WHERE member = ? AND rule = ?",
                [.text(place.member), .text(rule)]
            )
            return
        }
        var row = Row(cause: decision.cause)
        switch decision.shield {
        case .settings(let settings): row.settings = settings
        case .items(let items): row.items = items
        case .clear: break
        }
        try database.run(
            """
            INSERT INTO rule_shields (member, rule, decision) VALUES (?, ?, ?)
            ON CONFLICT (member, rule) DO UPDATE SET decision = excluded.decision
            """,
            [.text(place.member), .text(rule), .blob(try row.encodedBody())]
        )
    }
}
