import Foundation
import STActivityCore
import STAuthCore
import STCrypto
import STDesktopCore
import STHouseholdCore
import STLinkCore
import STMonitorCore
import STNotifierCore
import STPlatform
import STReportCore
import STShieldCore
import STStore
import STTestKit
import Testing

/// Checks how SQLite runs every statement of the services, so that no cost grows with stored history. A statement on a table that
/// grows with time finds its row by a whole key, or a comment `// Rows:` above it gives the number of rows.
/// `Shared/Base/Store/README.md` lists the growing tables and their limits.
@Suite("SQL statements")
struct StatementTests {
    private static let shared = ["Shared/Base/Store/", "Shared/Runtime/"]

    private struct Plan {
        var statement: SQLStatement
        var steps: [String]
        /// The step that reads a growing number of rows.
        var growing: String?
        var isOfGrowing: Bool
    }

    /// Every SQL statement of the product, by source file. Finding them takes seconds, so the tests share the result.
    private static let statementsByFile = Result {
        () throws -> [(path: String, statements: [SQLStatement])] in
        let tree = try SourceTree.here.product().filter { file in
            // Without files that use PostgreSQL: a server checks their statements in the tests that start one.
            (shared.contains(where: file.path.hasPrefix)
                || file.path.hasPrefix("Services/") && !file.path.hasPrefix("Services/developer-kit/"))
                && !file.text.contains("import STPostgres")
        }
        return try tree.map { ($0.path, try SQLStatement.all($0, tree)) }
    }

    private let statements: [(path: String, statements: [SQLStatement])]
    /// The tables of each service that grow, from the README.
    private let growing: [String: Set<String>]

    init() throws {
        statements = try Self.statementsByFile.get()
        growing = try Self.growing()
    }

    // MARK: - The README

    /// The rows of the README's table: the growing tables of each service.
    private static func growing() throws -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        for line in try SourceTree.here.text("Shared/Base/Store/README.md").split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard line.hasPrefix("| `"), cells.count == 3, !cells[2].isEmpty else { continue }
            for table in cells[0].split(separator: ",") {
                let name = table.trimmingCharacters(in: .init(charactersIn: " `"))
                for service in cells[1].split(separator: ",") {
                    found[service.trimmingCharacters(in: .whitespaces), default: []].insert(name)
                }
            }
        }
        return found
    }

    private func growing(in service: String) -> Set<String> {
        growing["every service", default: []].union(growing[service, default: []])
    }

    // MARK: - The plans

    /// A database of each service, made by its migrations.
    private func withDatabases(_ body: ([(service: String, database: Database)]) throws -> Void) throws {
        let auth = try CoreBench(AuthService.definition(owner: "owner", deviceName: "test", cost: .least))
        let activity = try CoreBench(ActivityService.definition())
        let monitor = try CoreBench(MonitorService.definition())
        let shield = try CoreBench(ShieldService.definition())
        let notifier = try CoreBench(NotifierService.definition())
        let report = try CoreBench(ReportService.definition())
        let desktop = try CoreBench(DesktopService.definition())
        let household = try CoreBench(HouseholdService.definition())
        let link = try CoreBench(LinkService.definition())
        try body([
            ("auth-service", auth.database), ("activity-center", activity.database),
            ("monitor-runner", monitor.database), ("shield-service", shield.database),
            ("notifier", notifier.database), ("report-service", report.database),
            ("desktop-agent", desktop.database),
            ("household-service", household.database), ("link-service", link.database),
        ])
    }

    private func plans(_ service: String, _ database: Database) throws -> [Plan] {
        let grows = growing(in: service)
        let files = statements.filter { file in
            file.path.hasPrefix("Services/\(service)/") || Self.shared.contains(where: file.path.hasPrefix)
        }
        let tables = Set(
            try database.query("SELECT name FROM sqlite_schema WHERE type = 'table'") { try $0.text(0) }
        )
        let unique = try wholeKeys(tables, database)
        var plans: [Plan] = []
        for statement in files.flatMap(\.statements) {
            let names = statement.sql.matches(of: /(?:FROM|INTO|UPDATE|JOIN) (?:main\.)?([a-z_0-9]+)/).map {
                String($0.1)
            }
            // A shared statement may use tables that this service does not have, or a table that is selected at run time.
            guard names.allSatisfy({ tables.contains($0) || ["sqlite_schema", "json_each"].contains($0) })
            else { continue }
            let steps: [String]
            do {
                steps = try database.query("EXPLAIN QUERY PLAN " + statement.sql, statement.nothing) {
                    try $0.text(3)
                }
            } catch {
                // A service may have its own table with a shared name.
                if Self.shared.contains(where: statement.path.hasPrefix) { continue }
                throw Problem(
                    "test.statement",
                    verbatim: "\(statement.path):\(statement.line) \(statement.sql): \(error)"
                )
            }
            let alias = Dictionary(
                statement.sql.matches(of: /([a-z_]+) AS ([a-z_]+)/).map { (String($0.2), String($0.1)) }
            ) { $1 }
            let touches = names.contains { grows.contains($0) }
            let step = steps.first { step in
                if step.hasPrefix("USE TEMP B-TREE") { return touches }
                guard let match = step.firstMatch(of: /^(SCAN|SEARCH) ([a-z_0-9]+)/) else { return false }
                let table = alias[String(match.2)] ?? String(match.2)
                guard grows.contains(table) else { return false }
                return match.1 == "SCAN"
                    || !unique.contains { table == $0.table && step.hasSuffix($0.search) }
            }
            plans.append(Plan(statement: statement, steps: steps, growing: step, isOfGrowing: touches))
        }
        return plans
    }

    /// The form of a search by a whole key in a query plan.
    private func wholeKeys(_ tables: Set<String>, _ database: Database) throws -> [(
        table: String, search: String
    )] {
        var keys: [(String, String)] = []
        for table in tables {
            keys.append((table, "USING INTEGER PRIMARY KEY (rowid=?)"))
            let indexes = try database.query("PRAGMA index_list(\(table))") {
                (try $0.text(1), try $0.bool(2))
            }
            for (index, isUnique) in indexes where isUnique {
                let columns = try database.query("PRAGMA index_info(\(index))") {
                    try $0.optionalText(2) ?? "<expr>"
                }
                let all = columns.map { "\($0)=?" }.joined(separator: " AND ")
                keys += ["INDEX \(index)", "PRIMARY KEY"].map { (table, "\($0) (\(all))") }
            }
        }
        return keys
    }

    @Test("Statements on growing tables find their row by a whole key, or a comment gives the number of rows")
    func bounded() throws {
        try withDatabases { databases in
            var unsaid: Set<String> = []
            var planned: Set<String> = []
            for (service, database) in databases {
                for plan in try plans(service, database) {
                    let statement = plan.statement
                    planned.insert("\(statement.path):\(statement.line)")
                    guard let step = plan.growing, statement.rows == nil else { continue }
                    unsaid.insert("\(statement.path):\(statement.line) \(statement.sql.prefix(90)): \(step)")
                }
            }
            #expect(unsaid.sorted() == [])
            let all = statements.flatMap(\.statements)
            // Statements on a database that is attached temporarily, and on a table that an update empties and drops.
            let passing = [" built.", " ledger_2"]
            #expect(
                all.filter { statement in
                    !planned.contains("\(statement.path):\(statement.line)")
                        && !passing.contains(where: statement.sql.contains)
                }.map(\.sql) == []
            )
            #expect(planned.count > 200)
        }
    }

    @Test("PLANS.md contains the current plans of the statements on growing tables")
    func listed() throws {
        let path = "Shared/Base/Store/PLANS.md"
        var text = """
            # How SQLite runs the statements of tables that grow

            Written by `SCREENTIME_WRITE_PLANS=1 swift test --filter StatementTests`, with SQLite 3.40. `rows:` is the comment in the source.

            """
        try withDatabases { databases in
            var seen: Set<String> = []
            for (service, database) in databases {
                var file = ""
                for plan in try plans(service, database) where plan.isOfGrowing {
                    let statement = plan.statement
                    guard seen.insert(statement.path + statement.sql).inserted else { continue }
                    if statement.path != file {
                        file = statement.path
                        text += "\n## \(file)\n"
                    }
                    text += "\n    \(statement.sql)\n"
                    for step in plan.steps { text += "        \(step)\n" }
                    if let rows = statement.rows, plan.growing != nil { text += "        rows: \(rows)\n" }
                }
            }
        }
        if ProcessInfo.processInfo.environment["SCREENTIME_WRITE_PLANS"] != nil {
            try text.write(to: SourceTree.here.root.appending(path: path), atomically: true, encoding: .utf8)
        }

        #expect(
            try SourceTree.here.text(path) == text,
            "It is not up to date; its second line says how to write it again."
        )
    }

    @Test("The README of the store classifies every table as growing or not growing")
    func everyTable() throws {
        let text = try SourceTree.here.text("Shared/Base/Store/README.md")
        let rest = try #require(text.firstMatch(of: /The other tables do not grow with time: ([^.]*)\./))
        let still = Set(rest.1.matches(of: /`([a-z_0-9]+)`/).map { String($0.1) })
        try withDatabases { databases in
            var unknown: Set<String> = []
            var all: Set<String> = []
            for (service, database) in databases {
                let tables = try database.query("SELECT name FROM sqlite_schema WHERE type = 'table'") {
                    try $0.text(0)
                }
                let grows = growing(in: service)
                all.formUnion(tables)
                for table in tables
                where !table.hasPrefix("sqlite_") && !grows.contains(table) && !still.contains(table) {
                    unknown.insert("\(service): \(table)")
                }
            }
            #expect(unknown.sorted() == [])
            #expect(still.subtracting(all).sorted() == [], "These are no tables any more.")
        }
    }

    /// A database with an earlier form of a migration would no longer open.
    @Test("Released schema migrations never change")
    func steps() throws {
        var made: [String] = []
        try withDatabases { databases in
            for (service, database) in databases {
                try database.query("SELECT position, name, checksum FROM schema_migrations ORDER BY position")
                {
                    made.append("\(service) \(try $0.int(0)) \(try $0.text(2)) \(try $0.text(1))")
                }
            }
        }
        let known = try SourceTree.here.text("Tests/Golden/Steps.txt").split(separator: "\n").map(String.init)
        #expect(
            known == made,
            "Take back what was changed and add a step at the end; its line belongs into Tests/Golden/Steps.txt."
        )
    }
}
