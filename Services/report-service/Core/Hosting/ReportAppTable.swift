import STContracts
import STStore

/// What is known of members, apps and permissions.
enum ReportAppTable {
    static let migration = Migration(
        name: "apps",
        sql: """
            CREATE TABLE report_members (name TEXT PRIMARY KEY, is_child INTEGER NOT NULL) STRICT;
            CREATE TABLE report_apps (app TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT;
            CREATE TABLE report_words (
                app TEXT NOT NULL, member TEXT NOT NULL, PRIMARY KEY (app, member)
            ) STRICT;
            """
    )

    static func load(_ database: Database) throws -> ReportApps {
        var apps = ReportApps()
        try database.query("SELECT name, is_child FROM report_members") {
            apps.children[try $0.text(0)] = try $0.bool(1)
        }
        try database.query("SELECT app, body FROM report_apps") {
            apps.installed[try $0.text(0)] = ReportApps.App(try InstalledApp.decodedBody(try $0.blob(1)))
        }
        try database.query("SELECT app, member FROM report_words") {
            apps.approved.insert(ReportApps.Permission(app: try $0.text(0), member: try $0.text(1)))
        }
        return apps
    }

    static func set(_ member: Member, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO report_members (name, is_child) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET is_child = excluded.is_child
            """,
            [.text(member.name), SQLValue(member.role == .child)]
        )
    }

    static func set(_ app: InstalledApp, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO report_apps (app, body) VALUES (?, ?)
            ON CONFLICT (app) DO UPDATE SET body = excluded.body
            """,
            [.text(app.manifest.id), .blob(try app.encodedBody())]
        )
    }

    static func remove(app: String, _ database: Database) throws {
        try database.run("DELETE FROM report_apps WHERE app = ?", [.text(app)])
        try database.run("DELETE FROM report_words WHERE app = ?", [.text(app)])
    }

    static func set(_ permission: ReportApps.Permission, isApproved: Bool, _ database: Database) throws {
        try database.run(
            isApproved
                ? "INSERT OR IGNORE INTO report_words (app, member) VALUES (?, ?)"
                : "DELETE FROM report_words WHERE app = ? AND member = ?",
            [.text(permission.app), .text(permission.member)]
        )
    }

    static func clear(_ database: Database) throws {
        try database.execute("DELETE FROM report_members; DELETE FROM report_apps; DELETE FROM report_words;")
    }
}
