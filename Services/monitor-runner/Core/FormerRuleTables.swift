import STContracts
import STEngine
import STStore

/// The tables in which earlier versions of this service kept people's rules. activity-center keeps the rules now.
enum FormerRuleTables {
    static let migrations = [
        Migration(
            name: "rules",
            sql: """
                CREATE TABLE rules (id TEXT PRIMARY KEY, rule BLOB NOT NULL) STRICT;
                CREATE TABLE rule_watches (
                    member TEXT NOT NULL, activity TEXT NOT NULL, request BLOB NOT NULL, problem BLOB,
                    PRIMARY KEY (member, activity)
                ) STRICT;
                """
        ),
        Migration(
            name: "rule delays",
            sql: "CREATE TABLE rule_delays (member TEXT PRIMARY KEY, delay BLOB NOT NULL) STRICT;"
        ),
        Migration(
            name: "rule shields",
            sql: """
                CREATE TABLE rule_shields (
                    member TEXT NOT NULL, rule TEXT NOT NULL, asked BLOB NOT NULL, PRIMARY KEY (member, rule)
                ) STRICT;
                """
        ),
        Migration(
            name: "facts",
            sql: "CREATE TABLE facts (subject TEXT PRIMARY KEY, facts BLOB NOT NULL) STRICT;"
        ),
        Migration(
            name: "rules of a household",
            sql: """
                CREATE TABLE shared_rules (
                    member TEXT NOT NULL, id TEXT NOT NULL, rule BLOB NOT NULL, PRIMARY KEY (member, id)
                ) STRICT, WITHOUT ROWID;
                """
        ),
        Migration(
            name: "rule decisions",
            sql: "ALTER TABLE rule_shields RENAME COLUMN asked TO decision;"
        ),
    ]

    /// Empties the tables after activity-center has copied the rules. Otherwise, if activity-center's database is lost later,
    /// the next start would restore rules that a person has changed or removed since.
    static func emptyIfCopied(_ change: StoreTransaction) throws {
        let isFilled = try change.database.first(
            "SELECT 1 FROM rules UNION ALL SELECT 1 FROM rule_delays UNION ALL SELECT 1 FROM shared_rules LIMIT 1"
        ) { _ in true }
        guard isFilled == true else { return }
        // If the other database cannot be read now, the next start tries again.
        let isMoved = try? RuleMigration.readDatabase(of: .activity, nextTo: change.database, of: .monitor) {
            try MetaTable($0).get(RuleMigration.mark) != nil
        }
        guard isMoved == true else { return }
        for sql in [
            "DELETE FROM rules", "DELETE FROM rule_watches", "DELETE FROM rule_delays",
            "DELETE FROM rule_shields",
            "DELETE FROM shared_rules", "DELETE FROM facts",
        ] { try change.database.run(sql) }
    }
}
