import STCommandCore
import STContracts
import STPlatform

/// Imports usage from a CSV table.
enum UsageTableReader {
    private static let bytesMax = 200_000_000
    private static let linesMax = 5_000_000

    private struct Columns {
        var start: Int
        var end: Int?
        var length: Int?
        var app: Int?
        var site: Int?
    }

    static func read(_ invocation: Invocation) throws -> ImportFindings {
        let path = invocation.subjects[0]
        let text = String(decoding: try UsageHistoryImport.content(path, bytesMax: bytesMax), as: UTF8.self)
        var findings = ImportFindings()
        var columns: Columns?
        var stretches: [ImportedInterval] = []
        let separator = text.prefix { !$0.isNewline }.first { ",;\t".contains($0) } ?? ","
        try eachLine(text, separator: separator) { number, cells in
            guard let known = columns else {
                columns = try Self.columns(cells, invocation)
                return
            }
            stretches.append(try interval(cells, columns: known, line: number, invocation: invocation))
        }
        guard columns != nil else {
            throw Problem(
                "import.empty_table",
                "\(path, "path") has no lines.",
                help: "screentime import csv FILE"
            )
        }
        let ordered = ImportedInterval.withoutOverlaps(stretches)
        findings.skip(twice: ordered.lost)
        if !ordered.stretches.isEmpty {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            findings.devices = [ImportSource(name: name, isHere: true, stretches: ordered.stretches)]
        }
        return findings
    }

    /// Splits the text into cells as defined by RFC 4180. Quoted cells may contain separators, line ends and
    /// doubled quotes.
    static func eachLine(_ text: String, separator: Character, take: (Int64, [String]) throws -> Void)
        throws
    {
        var cells: [String] = []
        var cell = ""
        var isQuoted = false
        var number: Int64 = 1
        var line: Int64 = 1
        var rest = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
        func end() throws {
            cells.append(cell)
            cell = ""
            if cells != [""] { try take(number, cells) }
            cells = []
        }
        while let character = rest.popFirst() {
            if character.isNewline { line += 1 }
            if isQuoted {
                if character != "\"" {
                    cell.append(character)
                } else if rest.first == "\"" {
                    cell.append(rest.removeFirst())
                } else {
                    isQuoted = false
                }
            } else if character == "\"", cell.isEmpty {
                isQuoted = true
            } else if character == separator {
                cells.append(cell)
                cell = ""
            } else if character.isNewline {
                try end()
                number = line
                guard line <= linesMax else {
                    throw ImportFault.located(
                        Problem(
                            "import.too_many_lines",
                            "a table can have at most \(linesMax, "most") lines."
                        ),
                        line
                    )
                }
            } else {
                cell.append(character)
            }
        }
        guard !isQuoted else {
            throw ImportFault.located(
                Problem("import.open_quote", "the quotation mark that opens here is not closed."),
                number
            )
        }
        if !cell.isEmpty || !cells.isEmpty { try end() }
    }

    private static func columns(_ names: [String], _ invocation: Invocation) throws -> Columns {
        let plain = names.map { $0.lowercased().filter { $0.isLetter } }
        let list = names.map(\.sanitized).joined(separator: ", ")
        func column(_ option: String, _ usual: [String]) throws -> Int? {
            guard let asked = invocation.value(option) else {
                return usual.lazy.compactMap { plain.firstIndex(of: $0) }.first
            }
            if let index = names.firstIndex(of: asked) { return index }
            throw Problem(
                "import.no_column",
                "The table has no column “\(asked.sanitized, "name")”. It has: \(list, "columns").",
                help: "screentime import csv FILE \(option) COLUMN"
            )
        }
        let start = try column("--start", ["start", "starttime", "begin", "from", "timestamp"])
        let end = try column("--end", ["end", "endtime", "until", "to"])
        let length = try column("--length", ["duration", "length", "seconds"])
        guard let start, end != nil || length != nil else {
            throw Problem(
                "import.no_times",
                """
                Name the columns that contain the start, and the end or the length. The table has: \
                \(list, "columns").
                """,
                help: "screentime import csv FILE --start COLUMN --end COLUMN"
            )
        }
        return Columns(
            start: start,
            end: end,
            length: length,
            app: try column("--app", ["app", "application", "program"]),
            site: try column("--site", ["site", "domain", "url", "website"])
        )
    }

    private static let aMoment = Message("import.moment-such-as", "time such as 2026-11-20 17:00")
    private static let aLength = Message("import.length-such-as", "length such as 90, 0:01:30 or 1m30s")

    private static func interval(
        _ cells: [String],
        columns: Columns,
        line: Int64,
        invocation: Invocation
    ) throws
        -> ImportedInterval
    {
        func cell(_ index: Int?) -> String? {
            guard let index, index < cells.count, !cells[index].isEmpty else { return nil }
            return cells[index]
        }
        func unreadable(_ what: Message, _ text: String?) -> Problem {
            let shown = String((text ?? "").prefix(40)).sanitized
            return ImportFault.located(
                Problem(
                    "import.bad_time",
                    "“\(shown, "text")” is not a \(what, "what"). Nothing was imported."
                ),
                line
            )
        }
        guard let start = cell(columns.start).flatMap({ moment($0, invocation.now) }) else {
            throw unreadable(aMoment, cell(columns.start))
        }
        let end: WallTime
        if let text = cell(columns.end) {
            guard let moment = moment(text, invocation.now) else {
                throw unreadable(aMoment, text)
            }
            end = moment
        } else {
            guard let length = cell(columns.length).flatMap({ duration($0) }) else {
                throw unreadable(aLength, cell(columns.length))
            }
            end = start + length
        }
        guard end >= start, end - start <= .seconds(31 * 86_400) else {
            throw ImportFault.located(
                Problem(
                    "import.bad_time",
                    "the entry ends before it begins, or lasts over 31 days. Nothing was imported.",
                    key: "import.bad_time.this-ends-before"
                ),
                line
            )
        }
        let site = cell(columns.site)
        return ImportedInterval(
            start: start,
            end: end,
            app: cell(columns.app).flatMap { ImportFindings.name($0) },
            domain: site.flatMap { ImportFindings.domain(ofPage: $0.contains("://") ? $0 : "http://\($0)") }
        )
    }

    /// Parses a local time, or seconds or milliseconds since 1970.
    private static func moment(_ text: String, _ now: WallTime) -> WallTime? {
        if let number = Double(text), number >= 100_000_000 {
            let ms = number >= 100_000_000_000 ? number : number * 1000
            return Int64(exactly: ms.rounded()).map(WallTime.init)
        }
        return LocalMoment.wall(text, now: now)
    }

    /// Parses seconds, `h:mm:ss`, or a duration in the syntax of the command line.
    private static func duration(_ text: String) -> Duration? {
        if let seconds = Double(text), seconds >= 0, seconds <= 31 * 86_400 {
            return .milliseconds(Int64((seconds * 1000).rounded()))
        }
        let parts = text.split(separator: ":").map { Int64($0) }
        if (2...3).contains(parts.count), parts.allSatisfy({ $0.map { (0..<10_000).contains($0) } ?? false })
        {
            return .seconds(parts.reduce(0) { $0 * 60 + ($1 ?? 0) })
        }
        return TextFormat.durationMs(text).map { .milliseconds($0) }
    }
}
