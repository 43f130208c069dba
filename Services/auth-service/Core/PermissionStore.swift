import STContracts
import STStore

/// Apps, permissions and questions in the database.
enum PermissionStore {
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
enum AppStore {
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
enum QuestionStore {
    static func save(_ stored: StoredQuestion, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO questions (id, asked_boot_ms, body) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET body = excluded.body
            """,
            [
                .text(stored.question.request), .integer(stored.askedBootMs),
                .blob(try stored.question.encodedBody()),
            ]
        )
    }

    static func remove(_ id: String, _ database: Database) throws {
        try database.run("DELETE FROM questions WHERE id = ?", [.text(id)])
    }

    static func all(_ database: Database) throws -> [StoredQuestion] {
        try database.query("SELECT asked_boot_ms, body FROM questions ORDER BY rowid") {
            StoredQuestion(
                question: try AuthQuestion.decodedBody(try $0.blob(1)),
                askedBootMs: try $0.int(0)
            )
        }
    }
}
