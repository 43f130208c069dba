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
        )
    ]

    static func load(_ database: Database) throws -> AuthState {
        AuthState(
            device: try database.first("SELECT id, name FROM device") {
                Device(id: try $0.text(0), name: try $0.text(1))
            },
            members: try database.query("SELECT name, role FROM members ORDER BY position") {
                Member(name: try $0.text(0), role: MemberRole(rawValue: try $0.text(1)) ?? .unknown)
            }
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
