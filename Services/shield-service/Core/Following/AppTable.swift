import STContracts
import STStore

/// What is known of members, apps and what members let them do.
enum AppTable {
    static let migration = Migration(
        name: "apps",
        sql: """
            CREATE TABLE members (name TEXT PRIMARY KEY, is_individual INTEGER NOT NULL) STRICT;
            CREATE TABLE apps (
                app TEXT PRIMARY KEY, name TEXT NOT NULL, configuration TEXT, action TEXT,
                bundle TEXT NOT NULL, installed_at TEXT NOT NULL, groups TEXT NOT NULL
            ) STRICT;
            CREATE TABLE words (
                app TEXT NOT NULL, member TEXT NOT NULL, is_approved INTEGER NOT NULL,
                is_enforced INTEGER NOT NULL, generation INTEGER NOT NULL, PRIMARY KEY (app, member)
            ) STRICT;
            """
    )

    static func load(into state: inout ShieldState, _ database: Database) throws {
        try database.query("SELECT app, name, configuration, action, bundle, installed_at, groups FROM apps")
        {
            state.apps.installed[try $0.text(0)] = AppBook.Extensions(
                name: try $0.text(1),
                configuration: try $0.optionalText(2),
                action: try $0.optionalText(3),
                bundle: try $0.text(4),
                installedAt: try $0.text(5),
                // A group's name has no space in it.
                groups: try $0.text(6).split(separator: " ").map(String.init)
            )
        }
        try database.query("SELECT app, member, is_approved, is_enforced, generation FROM words") {
            let permission = AppBook.Permission(app: try $0.text(0), member: try $0.text(1))
            state.apps.words[permission] = AppBook.Standing(
                isApproved: try $0.bool(2),
                isEnforced: try $0.bool(3),
                generation: try $0.int(4)
            )
        }
    }

    static func set(_ app: String, _ extensions: AppBook.Extensions, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO apps (app, name, configuration, action, bundle, installed_at, groups)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (app) DO UPDATE SET name = excluded.name,
                configuration = excluded.configuration, action = excluded.action, bundle = excluded.bundle,
                installed_at = excluded.installed_at, groups = excluded.groups
            """,
            [
                .text(app), .text(extensions.name), SQLValue(extensions.configuration),
                SQLValue(extensions.action), .text(extensions.bundle), .text(extensions.installedAt),
                .text(extensions.groups.joined(separator: " ")),
            ]
        )
    }

    static func remove(app: String, _ database: Database) throws {
        try database.run("DELETE FROM apps WHERE app = ?", [.text(app)])
        try database.run("DELETE FROM words WHERE app = ?", [.text(app)])
    }

    static func set(_ permission: AppBook.Permission, _ word: AppBook.Standing, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO words (app, member, is_approved, is_enforced, generation) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (app, member) DO UPDATE SET is_approved = excluded.is_approved,
                is_enforced = excluded.is_enforced, generation = excluded.generation
            """,
            [
                .text(permission.app), .text(permission.member), SQLValue(word.isApproved),
                SQLValue(word.isEnforced), .integer(word.generation),
            ]
        )
    }

    static func clear(_ database: Database) throws {
        try database.run("DELETE FROM apps")
        try database.run("DELETE FROM words")
    }
}
