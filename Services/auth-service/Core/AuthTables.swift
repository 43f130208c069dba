import STBus
import STContracts
import STCrypto
import STPlatform
import STStore

enum AuthTables {
    static let migrations = [
        Migration(
            name: "household",
            sql: """
                CREATE TABLE device (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT;
                CREATE TABLE members (
                    position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, role TEXT NOT NULL
                ) STRICT;
                """
        ),
        Migration(
            name: "permission",
            sql: """
                CREATE TABLE passcodes (
                    member TEXT PRIMARY KEY, hash TEXT NOT NULL, changed_wall_ms INTEGER NOT NULL,
                    wrong INTEGER NOT NULL, wrong_boot_ms INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE attempts (
                    id INTEGER PRIMARY KEY AUTOINCREMENT, member TEXT NOT NULL, wall_ms INTEGER NOT NULL,
                    purpose TEXT NOT NULL, uid INTEGER NOT NULL, pid INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX attempts_of_member ON attempts (member, id);
                CREATE TABLE notices (id INTEGER PRIMARY KEY AUTOINCREMENT, body BLOB NOT NULL) STRICT;
                CREATE TABLE apps (id TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT;
                CREATE TABLE authorizations (
                    app TEXT NOT NULL, member TEXT NOT NULL, status TEXT NOT NULL, scope TEXT NOT NULL,
                    enforce INTEGER NOT NULL, generation INTEGER NOT NULL, PRIMARY KEY (app, member)
                ) STRICT;
                CREATE TABLE generations (app TEXT PRIMARY KEY, generation INTEGER NOT NULL) STRICT;
                CREATE TABLE questions (
                    id TEXT PRIMARY KEY, asked_boot_ms INTEGER NOT NULL, body BLOB NOT NULL
                ) STRICT;
                CREATE TABLE token_masters (version INTEGER PRIMARY KEY, key BLOB NOT NULL) STRICT;
                CREATE TABLE token_keys (
                    id INTEGER PRIMARY KEY, version INTEGER NOT NULL, app TEXT NOT NULL,
                    generation INTEGER NOT NULL
                ) STRICT;
                """
        ),
        // The first member has the name of the account for which Screen Time was installed.
        Migration(
            name: "accounts",
            sql: """
                ALTER TABLE members ADD COLUMN account TEXT;
                UPDATE members SET account = name WHERE position = (SELECT min(position) FROM members);
                """
        ),
    ]

    static func load(_ database: Database) throws -> AuthState {
        AuthState(
            device: try database.first("SELECT id, name FROM device") {
                Device(id: try $0.text(0), name: try $0.text(1))
            },
            members: try database.query("SELECT name, role, account FROM members ORDER BY position") {
                Member(
                    name: try $0.text(0),
                    role: MemberRole(rawValue: try $0.text(1)) ?? .unknown,
                    account: try $0.optionalText(2)
                )
            },
            passcodes: try PasscodeTable.all(database),
            apps: try AppTable.all(database),
            authorizations: try PermissionTable.authorizations(database),
            generations: try PermissionTable.generations(database),
            questions: try QuestionTable.all(database),
            notices: try NoticeTable.all(database),
            master: try TokenTable.newestMaster(database)
        )
    }

    static func insert(_ device: Device, _ database: Database) throws {
        try database.run(
            "INSERT INTO device (id, name) VALUES (?, ?)",
            [.text(device.id), .text(device.name)]
        )
    }

    static func save(_ member: Member, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO members (name, role, account) VALUES (?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET role = excluded.role, account = excluded.account
            """,
            [.text(member.name), .text(member.role.rawValue), SQLValue(member.account)]
        )
    }

    static func remove(member: String, _ database: Database) throws {
        try database.run("DELETE FROM members WHERE name = ?", [.text(member)])
        try database.run("DELETE FROM passcodes WHERE member = ?", [.text(member)])
        // Rows: 50 of a member.
        try database.run("DELETE FROM attempts WHERE member = ?", [.text(member)])
    }
}

/// Passcodes and wrong attempts in the database.
enum PasscodeTable {
    static func save(_ stored: StoredPasscode, of member: String, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO passcodes (member, hash, changed_wall_ms, wrong, wrong_boot_ms) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (member) DO UPDATE SET hash = excluded.hash, changed_wall_ms = excluded.changed_wall_ms,
                wrong = excluded.wrong, wrong_boot_ms = excluded.wrong_boot_ms
            """,
            [
                .text(member), .text(stored.hash), .integer(stored.changed.ms), .integer(stored.wrong),
                .integer(stored.wrongBoot.ms),
            ]
        )
    }

    static func all(_ database: Database) throws -> [String: StoredPasscode] {
        let all = try database.query(
            "SELECT member, hash, changed_wall_ms, wrong, wrong_boot_ms FROM passcodes"
        ) { row in
            let stored = StoredPasscode(
                hash: try row.text(1),
                changed: WallTime(ms: try row.int(2)),
                wrong: try row.int(3),
                wrongBoot: BootTime(ms: try row.int(4))
            )
            return (try row.text(0), stored)
        }
        return Dictionary(all) { $1 }
    }

    static func insertAttempt(
        _ member: String,
        wall: WallTime,
        purpose: Message,
        principal: Principal,
        keep: Int,
        _ database: Database
    ) throws {
        try database.run(
            "INSERT INTO attempts (member, wall_ms, purpose, uid, pid) VALUES (?, ?, ?, ?, ?)",
            [
                .text(member), .integer(wall.ms), .text(try text(purpose)), .integer(Int64(principal.uid)),
                .integer(Int64(principal.pid)),
            ]
        )
        try database.run(
            // Rows: 51 of a member.
            """
            DELETE FROM attempts WHERE member = ?1 AND id NOT IN
                (SELECT id FROM attempts WHERE member = ?1 ORDER BY id DESC LIMIT ?2)
            """,
            [.text(member), SQLValue(keep)]
        )
    }

    /// Returns the latest attempts, newest last.
    static func attempts(_ member: String, limit: Int, _ database: Database) throws -> [PasscodeAttempt] {
        try database.query(
            // Rows: 50 of a member.
            "SELECT wall_ms, purpose FROM attempts WHERE member = ? ORDER BY id DESC LIMIT ?",
            [.text(member), SQLValue(limit)]
        ) {
            PasscodeAttempt(at: RFC3339.text(wallMs: try $0.int(0)), purpose: purpose(try $0.text(1)))
        }.reversed()
    }

    /// A purpose with a key is stored as JSON. Earlier versions stored only the English text.
    private static func text(_ purpose: Message) throws -> String {
        guard !purpose.key.isEmpty else { return purpose.english }
        return String(decoding: try PasscodeAttempt(at: "", purpose: purpose).encodedBody(), as: UTF8.self)
    }

    private static func purpose(_ text: String) -> Message {
        (try? PasscodeAttempt.decodedBody(Array(text.utf8)))?.purpose ?? Message(verbatim: text)
    }
}

/// Notices to all members in the database.
enum NoticeTable {
    static func insert(_ notice: AuthorizationNotice, keep: Int, _ database: Database) throws {
        try database.run(
            "INSERT INTO notices (body) VALUES (?)",
            [.blob(try notice.encodedBody())]
        )
        try database.run(
            // Rows: one.
            "DELETE FROM notices WHERE id <= (SELECT max(id) FROM notices) - ?",
            [SQLValue(keep)]
        )
    }

    static func all(_ database: Database) throws -> [AuthorizationNotice] {
        // Rows: all, at most 100, at the start.
        try database.query("SELECT body FROM notices ORDER BY id") {
            try AuthorizationNotice.decodedBody(try $0.blob(0))
        }
    }
}

/// Permissions in the database.
enum PermissionTable {
    static func save(_ authorization: Authorization, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO authorizations (app, member, status, scope, enforce, generation) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (app, member) DO UPDATE SET status = excluded.status, scope = excluded.scope,
                enforce = excluded.enforce, generation = excluded.generation
            """,
            [
                .text(authorization.app), .text(authorization.member), .text(authorization.status.rawValue),
                .text(authorization.scope.rawValue), SQLValue(authorization.enforce),
                .integer(authorization.generation),
            ]
        )
    }

    static func save(generation: Int64, of app: String, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO generations (app, generation) VALUES (?, ?)
            ON CONFLICT (app) DO UPDATE SET generation = excluded.generation
            """,
            [.text(app), .integer(generation)]
        )
    }

    static func authorizations(_ database: Database) throws -> [PermissionKey: Authorization] {
        let all = try database.query(
            "SELECT app, member, status, scope, enforce, generation FROM authorizations"
        ) { row in
            let status = AuthorizationStatus(rawValue: try row.text(2)) ?? .notDetermined
            return Authorization(
                app: try row.text(0),
                member: try row.text(1),
                status: status,
                scope: AuthorizationScope(rawValue: try row.text(3)) ?? .individual,
                access: status == .approved,
                enforce: try row.bool(4),
                generation: try row.int(5)
            )
        }
        return Dictionary(all.map { (PermissionKey(app: $0.app, member: $0.member), $0) }) { $1 }
    }

    static func generations(_ database: Database) throws -> [String: Int64] {
        let all = try database.query("SELECT app, generation FROM generations") {
            (try $0.text(0), try $0.int(1))
        }
        return Dictionary(all) { $1 }
    }
}

/// Installed apps in the database.
enum AppTable {
    static func save(_ app: InstalledApp, _ database: Database) throws {
        try database.run(
            "INSERT INTO apps (id, body) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body",
            [.text(app.manifest.id), .blob(try app.encodedBody())]
        )
    }

    static func remove(_ id: String, _ database: Database) throws {
        try database.run("DELETE FROM apps WHERE id = ?", [.text(id)])
    }

    static func all(_ database: Database) throws -> [String: InstalledApp] {
        let all = try database.query("SELECT body FROM apps") { try InstalledApp.decodedBody(try $0.blob(0)) }
        return Dictionary(all.map { ($0.manifest.id, $0) }) { $1 }
    }
}

/// Questions to people in the database.
enum QuestionTable {
    static func save(_ stored: StoredQuestion, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO questions (id, asked_boot_ms, body) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET body = excluded.body
            """,
            [
                .text(stored.question.request), .integer(stored.asked.ms),
                .blob(try stored.question.encodedBody()),
            ]
        )
    }

    static func remove(_ id: String, _ database: Database) throws {
        try database.run("DELETE FROM questions WHERE id = ?", [.text(id)])
    }

    static func all(_ database: Database) throws -> [StoredQuestion] {
        // Rows: all, at most 200, at the start.
        try database.query("SELECT asked_boot_ms, body FROM questions ORDER BY rowid") {
            StoredQuestion(
                question: try AuthQuestion.decodedBody(try $0.blob(1)),
                asked: BootTime(ms: try $0.int(0))
            )
        }
    }
}

/// The version, the app and the generation of a token key.
struct TokenKeyRow: Sendable, Equatable {
    var version: Int64
    var app: String
    var generation: Int64
}

/// The keys of tokens in the database.
enum TokenTable {
    static func insert(master key: Secret, _ version: Int64, _ database: Database) throws {
        try database.run(
            "INSERT INTO token_masters (version, key) VALUES (?, ?)",
            [.integer(version), .blob(key.withBytes { [UInt8]($0) })]
        )
    }

    static func master(_ version: Int64, _ database: Database) throws -> MasterKey? {
        try database.first(
            "SELECT version, key FROM token_masters WHERE version = ?",
            [.integer(version)],
            value: read
        )
    }

    static func newestMaster(_ database: Database) throws -> MasterKey? {
        try database.first("SELECT version, key FROM token_masters ORDER BY version DESC", [], value: read)
    }

    /// Inserts a key. Does nothing if the key exists already.
    static func insert(_ row: TokenKeyRow, id: UInt64, _ database: Database) throws {
        try database.run(
            "INSERT INTO token_keys (id, version, app, generation) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [
                .integer(Int64(bitPattern: id)), .integer(row.version), .text(row.app),
                .integer(row.generation),
            ]
        )
    }

    static func key(_ id: UInt64, _ database: Database) throws -> TokenKeyRow? {
        try database.first(
            "SELECT version, app, generation FROM token_keys WHERE id = ?",
            [.integer(Int64(bitPattern: id))]
        ) { TokenKeyRow(version: try $0.int(0), app: try $0.text(1), generation: try $0.int(2)) }
    }

    private static func read(_ row: borrowing Row) throws -> MasterKey {
        var bytes = try row.blob(1)
        return MasterKey(version: try row.int(0), key: try Secret(wiping: &bytes))
    }
}
