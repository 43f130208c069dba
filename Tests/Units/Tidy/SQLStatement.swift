import Foundation
import STPlatform
import STStore

/// A statement in the sources in the form for SQLite, with its interpolated values.
struct SQLStatement {
    var path: String
    var line: Int
    var sql: String
    /// The comment `// Rows:` above the statement: the number of rows that it reads, and why that number does not grow with time.
    var rows: String?

    /// Null for each parameter.
    var nothing: [SQLValue] {
        let places = sql.matches(of: /\?([0-9]*)/).map { Int($0.1) }
        return Array(repeating: .null, count: places.compactMap(\.self).max() ?? places.count)
    }

    private static let verbs = ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "WITH ", "REPLACE "]
    /// The maximum number of lines between a statement and its comment.
    private static let reach = 6

    /// All statements of a file, without those of migrations, which run once.
    static func all(_ file: SourceTree.File, _ tree: [SourceTree.File]) throws -> [SQLStatement] {
        let literals = literals(file.lines)
        var found: [SQLStatement] = []
        for literal in literals where verbs.contains(where: literal.text.hasPrefix) && !literal.isMigration {
            // An inserted row reads no others.
            if literal.text.contains(#/^INSERT INTO .* VALUES /#) { continue }
            let rows = file.lines[max(0, literal.line - 1 - reach)..<(literal.line - 1)]
                .last { $0.contains("// Rows: ") }.map {
                    String($0.split(separator: "// Rows: ", maxSplits: 1)[1])
                }
            let parts = literal.text.split(separator: "; ").map(String.init)
            for sql in try parts.flatMap({ try filled($0, file: file, literals: literals, tree: tree) }) {
                found.append(SQLStatement(path: file.path, line: literal.line, sql: sql, rows: rows))
            }
        }
        return found
    }

    // MARK: - Literals

    struct Literal {
        var line: Int
        var text: String
        var isMigration = false
    }

    /// The string literals of a file, each on one line, with the number of its first line.
    private static func literals(_ lines: [Substring]) -> [Literal] {
        var found: [Literal] = []
        var index = 0
        while index < lines.count {
            let line = lines[index]
            if line.trimmingCharacters(in: .whitespaces).hasPrefix("//") {
                index += 1
                continue
            }
            let isMigration = line.contains("sql:") || line.contains("former:")
            if line.hasSuffix("\"\"\""), line.ranges(of: "\"\"\"").count == 1 {
                let start = index + 1
                var body: [String] = []
                index += 1
                while index < lines.count, !lines[index].contains("\"\"\"") {
                    body.append(lines[index].trimmingCharacters(in: .whitespaces))
                    index += 1
                }
                let text = body.filter { !$0.isEmpty }.joined(separator: " ").replacing("\\ ", with: "")
                found.append(Literal(line: start, text: text, isMigration: isMigration))
            } else {
                for match in line.matches(of: /"((?:[^"\\]|\\\((?:[^()]|\([^()]*\))*\)|\\.)*)"/) {
                    found.append(Literal(line: index + 1, text: String(match.1), isMigration: isMigration))
                }
            }
            index += 1
        }
        return found
    }

    // MARK: - Interpolations

    /// The statement with every value of its interpolations.
    private static func filled(
        _ text: String,
        file: SourceTree.File,
        literals: [Literal],
        tree: [SourceTree.File]
    ) throws -> [String] {
        guard let match = text.firstMatch(of: /\\\(((?:[^()]|\([^()]*\))*)\)/) else { return [text] }
        let name = String(match.1)
        var values = constant(name, file: file, tree: tree).map { [$0] } ?? choices[name] ?? []
        // Conditions that a private function appends to a WHERE clause.
        if name == "condition" {
            values = literals.filter { !$0.isMigration }.map(\.text).filter { text in
                !verbs.contains(where: text.hasPrefix) && text.contains(#/ = \?|IS NOT NULL/#)
            }
        }
        guard !values.isEmpty else {
            throw Problem(
                "test.statement",
                verbatim: "\(file.path) puts \(name) into a statement; say here what that can be"
            )
        }
        return try values.flatMap { value in
            try filled(text.replacing(match.0, with: value), file: file, literals: literals, tree: tree)
        }
    }

    /// Interpolations whose value is known only at run time.
    private static let choices = [
        "table": ["activities", "days"],
        "isOpen": ["(state = 'waiting' OR due_ms IS NOT NULL)"],
        "UsageTables.columns": ["used"],
        "places": ["?, ?"],
        "conditions": [
            "number < ?", "number < ? AND app = ?", "number < ? AND state = ?",
            "number < ? AND app = ? AND state = ?",
        ],
        "range.conditions": ["1", "1 AND member = ?", "1 AND member = ? AND wall_ms >= ? AND wall_ms < ?"],
        "column": ["app", "domain", "category"],
        "schema": ["main"],
    ]

    /// A `static let` of this file or of the named type.
    private static func constant(_ name: String, file: SourceTree.File, tree: [SourceTree.File])
        -> String?
    {
        var text = file.text[...]
        var name = name.hasPrefix("Self.") ? String(name.dropFirst(5)) : name
        if let dot = name.firstIndex(of: ".") {
            let type = name[..<dot]
            name = String(name[name.index(after: dot)...])
            let place = tree.lazy.compactMap { file in
                file.text.range(of: "(enum|struct) \(type)\\b", options: .regularExpression).map {
                    file.text[$0.lowerBound...]
                }
            }.first
            guard let place else { return nil }
            text = place
        }
        guard let start = text.range(of: "static let \(name) = ") else { return nil }
        let lines = text[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false).prefix(
            30
        )
        return literals(Array(lines)).first?.text
    }
}
