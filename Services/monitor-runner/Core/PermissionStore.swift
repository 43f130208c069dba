import STContracts
import STStore

/// What is known of apps and of what members let them do: a copy of what auth-service says.
enum PermissionStore {
    static let migration = Migration(
        name: "permissions",
        sql: """
            CREATE TABLE monitors (app TEXT PRIMARY KEY, executable TEXT) STRICT;
            CREATE TABLE permissions (
                app TEXT NOT NULL, member TEXT NOT NULL, may_watch INTEGER NOT NULL, PRIMARY KEY (app, member)
            ) STRICT;
            """
    )

    static func load(_ database: Database) throws -> MonitorState {
        var state = MonitorState()
        let monitors = try database.query("SELECT app, executable FROM monitors") {
            (try $0.text(0), try $0.optionalText(1))
        }
        for (app, executable) in monitors { state.monitors[app] = .some(executable) }
        let permissions = try database.query("SELECT app, member, may_watch FROM permissions") {
            (try $0.text(0), try $0.text(1), try $0.bool(2))
        }
        for (app, member, mayWatch) in permissions {
            state.permissions[.init(app: app, member: member)] = mayWatch
        }
        return state
    }

    static func set(app: String, executable: String?, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO monitors (app, executable) VALUES (?, ?)
            ON CONFLICT (app) DO UPDATE SET executable = excluded.executable
            """,
            [.text(app), SQLValue(executable)]
        )
    }

    static func remove(app: String, _ database: Database) throws {
        try database.run("DELETE FROM monitors WHERE app = ?", [.text(app)])
        try database.run("DELETE FROM permissions WHERE app = ?", [.text(app)])
    }

    static func set(_ permission: MonitorState.Permission, _ mayWatch: Bool, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO permissions (app, member, may_watch) VALUES (?, ?, ?)
            ON CONFLICT (app, member) DO UPDATE SET may_watch = excluded.may_watch
            """,
            [.text(permission.app), .text(permission.member), SQLValue(mayWatch)]
        )
    }

    static func clear(_ database: Database) throws {
        try database.run("DELETE FROM monitors")
        try database.run("DELETE FROM permissions")
    }
}
