import STContracts
import STStore

/// How long changes of each member's rules wait, in the database.
enum RuleDelayStore {
    static let migration = Migration(
        name: "rule delays",
        sql: "CREATE TABLE rule_delays (member TEXT PRIMARY KEY, delay BLOB NOT NULL) STRICT;"
    )

    static func load(_ database: Database) throws -> [String: MemberDelay] {
        let all = try database.query("SELECT member, delay FROM rule_delays") {
            (try $0.text(0), try MemberDelay.decodedBody(try $0.blob(1)))
        }
        return Dictionary(all) { $1 }
    }

    /// None is ever taken away: no delay is one of 0.
    static func save(_ delays: [String: MemberDelay], after old: [String: MemberDelay], _ database: Database)
        throws
    {
        for (member, delay) in delays where old[member] != delay {
            try database.run(
                "INSERT OR REPLACE INTO rule_delays (member, delay) VALUES (?, ?)",
                [.text(member), .blob(try delay.encodedBody())]
            )
        }
    }
}
