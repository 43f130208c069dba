import STBus
import STContracts
import STPlatform
import STStore

/// Passcodes and wrong ones in the database.
enum PasscodeStore {
    static func save(_ stored: StoredPasscode, of member: String, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO passcodes (member, hash, changed_wall_ms, wrong, wrong_boot_ms) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (member) DO UPDATE SET hash = excluded.hash, changed_wall_ms = excluded.changed_wall_ms,
                wrong = excluded.wrong, wrong_boot_ms = excluded.wrong_boot_ms
            """,
            [
                .text(member), .text(stored.hash), .integer(stored.changedWallMs), .integer(stored.wrong),
                .integer(stored.wrongBootMs),
            ]
        )
    }

    static func all(_ database: Database) throws -> [String: StoredPasscode] {
        let all = try database.query(
            "SELECT member, hash, changed_wall_ms, wrong, wrong_boot_ms FROM passcodes"
        ) { row in
            let stored = StoredPasscode(
                hash: try row.text(1),
                changedWallMs: try row.int(2),
                wrong: try row.int(3),
                wrongBootMs: try row.int(4)
            )
            return (try row.text(0), stored)
        }
        return Dictionary(all) { $1 }
    }

    static func insertAttempt(
        _ member: String,
        wallMs: Int64,
        purpose: String,
        principal: Principal,
        keep: Int,
        _ database: Database
    ) throws {
        try database.run(
            "INSERT INTO attempts (member, wall_ms, purpose, uid, pid) VALUES (?, ?, ?, ?, ?)",
            [
                .text(member), .integer(wallMs), .text(purpose), .integer(Int64(principal.uid)),
                .integer(Int64(principal.pid)),
            ]
        )
        try database.run(
            """
            DELETE FROM attempts WHERE member = ?1 AND id NOT IN
                (SELECT id FROM attempts WHERE member = ?1 ORDER BY id DESC LIMIT ?2)
            """,
            [.text(member), SQLValue(keep)]
        )
    }

    /// The latest, the newest last.
    static func attempts(_ member: String, limit: Int, _ database: Database) throws -> [PasscodeAttempt] {
        try database.query(
            "SELECT wall_ms, purpose FROM attempts WHERE member = ? ORDER BY id DESC LIMIT ?",
            [.text(member), SQLValue(limit)]
        ) { PasscodeAttempt(at: RFC3339.text(wallMs: try $0.int(0)), purpose: try $0.text(1)) }.reversed()
    }
}

/// What was told to all, in the database.
enum NoticeStore {
    static func insert(_ notice: AuthorizationNotice, keep: Int, _ database: Database) throws {
        try database.run(
            "INSERT INTO notices (body) VALUES (?)",
            [.blob(try notice.encodedBody())]
        )
        try database.run(
            "DELETE FROM notices WHERE id <= (SELECT max(id) FROM notices) - ?",
            [SQLValue(keep)]
        )
    }

    static func all(_ database: Database) throws -> [AuthorizationNotice] {
        try database.query("SELECT body FROM notices ORDER BY id") {
            try AuthorizationNotice.decodedBody(try $0.blob(0))
        }
    }
}
