package import STContracts
import STPlatform
package import STStore

/// The routes of a service that calls extensions, for the lines that they wrote.
package enum OutputRoutes {
    /// `log` is the service's own route for reading the lines.
    package static func all<State: Sendable, Log: Route>(_ log: Log.Type) -> [ServiceRoute<State>]
    where Log.Request == MonitorLog.Request, Log.Reply == MonitorLog.Reply {
        [
            .query(log) { _, request, _, database in try OutputStore.page(request, database) }
        ]
    }
}

/// The output of extensions: a table of lines that drops the oldest.
package enum OutputStore {
    package static let migration = Migration(
        name: "output",
        sql: """
            CREATE TABLE output (
                row INTEGER PRIMARY KEY AUTOINCREMENT, app TEXT NOT NULL, body BLOB NOT NULL
            ) STRICT;
            CREATE INDEX output_of_app ON output (app, row);
            """
    )

    /// Upper bound on the lines of one app, so that an app that writes much takes no room from the others.
    package static let linesMax: Int64 = 10_000
    private static let trimEvery: Int64 = 500
    private static let pageMax: Int64 = 500
    /// Upper bound on the lines that one step adds.
    package static let linesPerStepMax = 500

    package static func append(_ lines: [AppLogLine], _ database: Database) throws {
        for line in lines {
            try database.run(
                "INSERT INTO output (app, body) VALUES (?, ?)",
                [.text(line.app), .blob(try line.encodedBody())]
            )
            let row = try database.first("SELECT last_insert_rowid()") { try $0.int(0) } ?? 0
            if row % trimEvery == 0 { try trim(database) }
        }
    }

    package static func page(_ request: MonitorLog.Request, _ database: Database) throws -> MonitorLog.Reply {
        let limit = min(max(1, request.limit ?? pageMax), pageMax)
        let after = try start(request, database)
        var last = after
        var bytes = 0
        var lines: [AppLogLine] = []
        var more = false
        let rows = try database.query(
            // Rows: a page.
            "SELECT row, body FROM output WHERE app = ? AND row > ? ORDER BY row LIMIT ?",
            [.text(request.app), .integer(after), .integer(limit + 1)]
        ) { row in (try row.int(0), try row.blob(1)) }
        for (row, body) in rows {
            bytes += body.count + 40
            if lines.count == Int(limit) || (bytes > BusLimits.pageBytes && !lines.isEmpty) {
                more = true
                break
            }
            var line = try AppLogLine.decodedBody(body)
            line.row = row
            lines.append(line)
            last = row
        }
        return MonitorLog.Reply(lines: lines, next: String(last), more: more)
    }

    /// Returns the row after which the page begins.
    private static func start(_ request: MonitorLog.Request, _ database: Database) throws -> Int64 {
        if let next = request.next {
            guard let row = Int64(next), row >= 0 else {
                throw Problem(
                    "page.invalid",
                    "Send `next` exactly as it was in the reply.",
                    field: "/next"
                )
            }
            return row
        }
        guard let fromEnd = request.fromEnd else { return 0 }
        guard fromEnd >= 0 else {
            throw Problem(
                "body.invalid",
                "The number of lines must be at least 0.",
                key: "body.invalid.a-number-of",
                field: "/from_end"
            )
        }
        // The first line that is not requested. There is none if there are fewer lines.
        return try database.first(
            // Rows: as many as requested, at most 20,000.
            "SELECT row FROM output WHERE app = ? ORDER BY row DESC LIMIT 1 OFFSET ?",
            [.text(request.app), .integer(min(fromEnd, linesMax * 2))]
        ) { try $0.int(0) } ?? 0
    }

    private static func trim(_ database: Database) throws {
        // Rows: all, now and then, at most 11,000 of an app.
        let apps = try database.query("SELECT DISTINCT app FROM output") { try $0.text(0) }
        for app in apps {
            try database.run(
                // Rows: the lines of an app, at most 11,000.
                """
                DELETE FROM output WHERE app = ?1 AND row <= (
                    SELECT row FROM output WHERE app = ?1 ORDER BY row DESC LIMIT 1 OFFSET ?2
                )
                """,
                [.text(app), .integer(linesMax)]
            )
        }
    }
}
