import STContracts
import STEngine
import STPlatform
import STStore

/// The rules that an earlier version kept in monitor-runner's database.
enum FormerRules {
    /// Returns nil if there is no such database, or if it has no table of rules.
    static func read(_ change: StoreTransaction) throws -> RuleState? {
        try RuleMigration.readDatabase(of: .monitor, nextTo: change.database, of: .activity) { database in
            guard try has("rules", database) else { return nil }
            var book = try read(database)
            // The oldest versions saved only the wall-clock end of a pause.
            if try MetaTable(database).get("rules/epoch") == nil {
                // Without a boot, the pause counts as one of an earlier boot.
                for (id, rule) in book.rules {
                    guard let until = rule.pausedUntil, until > change.now.wall else { continue }
                    book.rules[id]?.pause(for: until - change.now.wall, change.now, bootID: "")
                }
            }
            return book
        } ?? nil
    }

    private static func read(_ database: Database) throws -> RuleState {
        // Each version added one of these tables, in this order.
        guard try has("rule_delays", database) else { return try RuleTables.loadRules(database) }
        var book = try RuleTables.loadRules(database)
        book.delays = try RuleTables.loadDelays(database)
        if try has("shared_rules", database) { book.sharing = try RuleTables.loadSharing(database) }
        // The third column is called `asked` until monitor-runner has updated its database.
        if try has("rule_shields", database) { book.shields = try RuleTables.loadShields(database) }
        return book
    }

    private static func has(_ table: String, _ database: Database) throws -> Bool {
        try database.first("SELECT 1 FROM sqlite_schema WHERE name = ?", [.text(table)]) { _ in true }
            ?? false
    }
}
