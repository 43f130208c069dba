import STContracts
import STStore

/// The tables of auth-service.
enum AuthStore {
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
    ]

    static func load(_ database: Database) throws -> AuthState {
        AuthState(
            device: try database.first("SELECT id, name FROM device") {
                Device(id: try $0.text(0), name: try $0.text(1))
            },
            members: try database.query("SELECT name, role FROM members ORDER BY position") {
                Member(name: try $0.text(0), role: MemberRole(rawValue: try $0.text(1)) ?? .unknown)
            },
            passcodes: try PasscodeStore.all(database),
            apps: try AppStore.all(database),
            authorizations: try PermissionStore.authorizations(database),
            generations: try PermissionStore.generations(database),
            questions: try QuestionStore.all(database),
            notices: try NoticeStore.all(database),
            master: try TokenStore.newestMaster(database)
        )
    }

    static func insert(_ device: Device, _ database: Database) throws {
        try database.run(
            "INSERT INTO device (id, name) VALUES (?, ?)",
            [.text(device.id), .text(device.name)]
        )
    }

    static func insert(_ member: Member, _ database: Database) throws {
        try database.run(
            "INSERT INTO members (name, role) VALUES (?, ?)",
            [.text(member.name), .text(member.role.rawValue)]
        )
    }
}
