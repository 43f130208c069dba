import STContracts
import STEngine
import STStore

/// The installed apps with their shield extensions: a copy of what auth-service says.
enum ShieldPageStore {
    static let migration = Migration(
        name: "shield programs",
        sql: """
            CREATE TABLE shield_programs (
                app TEXT PRIMARY KEY, name TEXT NOT NULL, bundle TEXT NOT NULL, configuration TEXT, action TEXT,
                installed_at TEXT NOT NULL
            ) STRICT;
            """
    )

    static func load(_ database: Database) throws -> ShieldPages {
        var pages = ShieldPages()
        try database.query(
            "SELECT app, name, bundle, configuration, action, installed_at FROM shield_programs"
        ) { row in
            pages.programs[try row.text(0)] = ShieldPrograms(
                name: try row.text(1),
                bundle: try row.text(2),
                configuration: try row.optionalText(3),
                action: try row.optionalText(4),
                installedAt: try row.text(5)
            )
        }
        return pages
    }

    /// Before a rebuild from a snapshot.
    static func reset(_ pages: inout ShieldPages, _ change: StoreTransaction) throws {
        pages.programs = [:]
        try change.database.run("DELETE FROM shield_programs")
    }

    /// What stream `authorization` says; events about something else pass.
    static func apply(_ event: WireEvent, _ pages: inout ShieldPages, _ change: StoreTransaction) throws {
        switch event.header.type {
        case AppInstalled.type:
            let app = try event.decoded(AppInstalled.self)
            let programs = ShieldPrograms(
                name: app.manifest.name,
                bundle: app.bundle,
                configuration: executable(.shieldConfiguration, app.manifest),
                action: executable(.shieldAction, app.manifest),
                installedAt: app.installedAt
            )
            pages.programs[app.manifest.id] = programs
            try save(app.manifest.id, programs, change.database)
        case AppRemoved.type:
            let app = try event.decoded(AppRemoved.self).app
            pages.programs[app] = nil
            try change.database.run("DELETE FROM shield_programs WHERE app = ?", [.text(app)])
        default: return
        }
    }

    private static func executable(_ point: ExtensionPoint, _ manifest: AppManifest) -> String? {
        manifest.extensions.first { $0.point == point.rawValue }?.executable
    }

    private static func save(_ app: String, _ programs: ShieldPrograms, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO shield_programs (app, name, bundle, configuration, action, installed_at)
            VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (app) DO UPDATE SET name = excluded.name,
                bundle = excluded.bundle, configuration = excluded.configuration, action = excluded.action,
                installed_at = excluded.installed_at
            """,
            [
                .text(app), .text(programs.name), .text(programs.bundle), SQLValue(programs.configuration),
                SQLValue(programs.action), .text(programs.installedAt),
            ]
        )
    }
}
