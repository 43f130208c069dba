import Glibc
import STContracts
import STPlatform

/// `screentime import …`: the past that other programs kept, and the way out.
enum PastCommands {
    static let commands: [Command] = [
        Command(
            ["import", "activitywatch"],
            "Brings in what ActivityWatch has recorded: apps, absence and sites, joined as ActivityWatch does it",
            subjects: [
                .init(
                    "FILE",
                    "what its page writes by Raw Data, Export all buckets; without it the server is asked",
                    isOptional: true
                )
            ],
            options: [
                .init("--server", "URL", "where ActivityWatch runs; http://127.0.0.1:5600 by default"),
                .init("--here", "NAME", "this computer was called NAME then, so that its past belongs here"),
            ] + PastImport.options,
            example: "screentime import activitywatch --dry-run"
        ) { try await PastImport.run($0, "ActivityWatch") { try await activityWatch($0) } },
        Command(
            ["import", "timekpr"],
            "Makes rules of timekpr's limits, and history of the day that it saw last",
            subjects: [
                .init("USER", "the account, as timekpr knows it; by default your own", isOptional: true)
            ],
            options: [
                .init("--folder", "DIR", "where its folders config and work are; /var/lib/timekpr by default")
            ] + PastImport.options,
            example: "screentime import timekpr anna --member anna --dry-run"
        ) { try await PastImport.run($0, "timekpr") { try Timekpr.read($0) } },
        Command(
            ["import", "malcontent"],
            "Makes rules of GNOME's own limits, and history of the times that its Shell has kept",
            subjects: [.init("USER", "the account; by default your own", isOptional: true)],
            options: [
                .init("--folder", "DIR", "where copies of its files are, from another computer")
            ] + PastImport.options,
            example: "screentime import malcontent --dry-run"
        ) { try await PastImport.run($0, "malcontent") { try await GnomeLimits.read($0) } },
        Command(
            ["import", "csv"],
            "Brings in a table of times with a line of names at its head, from any program",
            subjects: [.init("FILE", "the table; columns are parted by commas, semicolons or tabs")],
            options: [
                .init(
                    "--start",
                    "COLUMN",
                    "when each stretch begins; found by itself where it is called start, begin or from"
                ),
                .init("--end", "COLUMN", "when it ends: end, until or to"),
                .init("--length", "COLUMN", "how long it is, in place of --end: duration, length or seconds"),
                .init("--app", "COLUMN", "what was used: app, application or program"),
                .init("--site", "COLUMN", "the site: site, domain or url"),
            ] + PastImport.options,
            example: "screentime import csv hours.csv --start Begin --length Minutes --dry-run"
        ) { try await PastImport.run($0, "CSV") { try PastTable.read($0) } },
        Command(
            ["import", "undo"],
            "Takes back what an import brought, and nothing else",
            subjects: [.init("NAME", "as the import said it; by default the last one", isOptional: true)],
            options: [ProofPrompt.option, .json],
            example: "screentime import undo"
        ) { try await undo($0) },
        ActivityWatchExport.command,
    ]

    // MARK: - ActivityWatch

    private static let server = "http://127.0.0.1:5600"
    private static let fetchMs: Int64 = 300_000

    private static func activityWatch(_ invocation: Invocation) async throws -> PastFindings {
        var here: Set<String> = []
        if let name = invocation.value("--here") { here.insert(name) }
        var name = utsname()
        if uname(&name) == 0 {
            withUnsafeBytes(of: name.nodename) { bytes in
                _ = here.insert(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
            }
        }
        let bytes: [UInt8]
        if let path = invocation.subjects.first {
            guard invocation.value("--server") == nil else {
                throw Problem(
                    "usage.conflict",
                    "Name a file or --server, not both.",
                    help: "screentime import activitywatch --server \(server)"
                )
            }
            bytes = try PastImport.content(path, bytesMax: ActivityWatchFile.bytesMax)
        } else {
            bytes = try await fetched(invocation.value("--server") ?? server, invocation)
        }
        let names = here
        return try await OwnThread.run("import") { try ActivityWatchFile.read(bytes, here: names) }
    }

    /// The export that the server makes; curl fetches it, and no other protocol is followed.
    private static func fetched(_ server: String, _ invocation: Invocation) async throws -> [UInt8] {
        guard server.hasPrefix("http://") || server.hasPrefix("https://"), !server.contains(" ") else {
            throw Problem(
                "usage.bad_address",
                "--server is “\(server)”; it must be an address such as \(Self.server).",
                help: "screentime import activitywatch --server \(Self.server)"
            )
        }
        guard let curl = ProgramRun.path(of: "curl", environment: invocation.environment) else {
            throw Problem(
                "import.no_curl",
                "This needs the program curl. Install it, or name a file that ActivityWatch's page has written.",
                help: "screentime import activitywatch FILE"
            )
        }
        let environment = invocation.environment
        let file = try OwnedDescriptor.unnamedFile()
        let address = (server.hasSuffix("/") ? String(server.dropLast()) : server) + "/api/0/export"
        let run = try await OwnThread.run("fetch") {
            try ProgramRun.run(
                curl,
                [
                    "--fail", "--silent", "--show-error", "--max-time", String(fetchMs / 1000), "--proto",
                    "=http,https", "--noproxy", "127.0.0.1,localhost", "--max-filesize",
                    String(ActivityWatchFile.bytesMax), "--", address,
                ],
                environment: environment,
                output: file,
                deadlineMs: fetchMs + 5_000
            )
        }
        guard run.status.isSuccess else {
            let reason = DisplayWidth.harmless(run.output.split(separator: "\n").first.map(String.init) ?? "")
            throw Problem(
                "import.no_server",
                "ActivityWatch does not answer at \(server): \(reason). Start it, or name a file that its page has written.",
                help: "screentime import activitywatch FILE"
            )
        }
        lseek(file.number, 0, SEEK_SET)
        return try OwnedDescriptor.readAll(
            file.number,
            limitBytes: ActivityWatchFile.bytesMax,
            tooLarge: Problem(
                "file.too_large",
                "\(server) is larger than \(TextFormat.bytes(Int64(ActivityWatchFile.bytesMax))); make it smaller"
            )
        )
    }

    // MARK: - Taking back

    private static let linesMax = 20_000

    private static func undo(_ invocation: Invocation) async throws -> ExitCode {
        let asked = invocation.subjects.first
        let prompt = ProofPrompt(invocation)
        let (name, total, rules) = try await ServiceClients.with(invocation.directories) { clients in
            let (name, member) = try await find(asked, clients)
            let request = UsageForget.Request(
                member: member,
                fromWallMs: 0,
                // The end of the year 9999.
                toWallMs: 253_402_300_799_999,
                imported: name
            )
            defer { invocation.terminal.progress("") }
            let total = try await ForgetCommand.forget(request, prompt, clients) { rows in
                invocation.terminal.progress(
                    Speech.say("\(rows) stretches of time taken back", "사용 구간 \(rows)개를 되돌림")
                )
            }
            var rules: [RuleView] = []
            let program = name.prefix { $0 != "-" }
            // The others make none.
            guard program == "timekpr" || program == "malcontent" else { return (name, total, rules) }
            for view in try await RuleShowing.all(clients) where view.rule.member == member {
                guard let rule = view.rule.name, rule.hasPrefix(program + "-") else { continue }
                let reply = try await prompt.run {
                    try await clients.call(RuleRemove.self, .init(name: rule, proof: $0))
                }
                rules.append(reply.rule)
            }
            return (name, total, rules)
        }
        let json: JSONValue = [
            "import": .string(name), "rows": .integer(total.rows),
            "rules": .array(rules.map { .string($0.rule.name ?? "") }),
        ]
        return invocation.show(json: JSONOutput.pretty(json)) {
            let what = TransferWords.counted(.usage, total.rows)
            return [
                total.rows == 0
                    ? Speech.say("Taken back: \(name).", "\(name)을(를) 되돌렸습니다.")
                    : Speech.say(
                        "Taken back: \(name), \(what). Reports are made again without it.",
                        "\(name)을(를) 되돌렸습니다: \(what). 보고서를 그것 없이 다시 만듭니다."
                    )
            ] + rules.map { Self.gone($0) }
        }
    }

    /// A rule whose loosening waits is still there for a while.
    private static func gone(_ view: RuleView) -> String {
        let name = DisplayWidth.harmless(view.rule.name ?? "")
        return view.pending == nil
            ? Speech.say("Removed the rule “\(name)”.", "규칙 “\(name)”을(를) 없앴습니다.")
            : Speech.say(
                "The rule “\(name)” goes once the wait before looser rules is over.",
                "규칙 “\(name)”은(는) 느슨해지기 전의 기다림이 끝나면 없어집니다."
            )
    }

    /// An import of the history that was not taken back yet, and whose past it brought.
    private static func find(_ asked: String?, _ clients: ServiceClients) async throws -> (String, String) {
        var undone: Set<String> = []
        var known: [String] = []
        var request = HistoryList.Request()
        var seen = 0
        repeat {
            let page = try await clients.call(HistoryList.self, request)
            for line in page.lines {
                guard let about = line.about, let member = line.member else { continue }
                if line.what == .forgotten { undone.insert(about) }
                guard line.what == .imported, !undone.contains(about) else { continue }
                if asked == nil || asked == about { return (about, member) }
                known.append(about)
            }
            seen += page.lines.count
            request.next = page.next
        } while request.next != nil && seen < linesMax
        let near = known.prefix(5).joined(separator: ", ")
        throw Problem(
            "import.unknown",
            asked.map { "There is no import \(DisplayWidth.harmless($0)) to take back." }
                ?? "There is no import to take back.",
            help: near.isEmpty ? "screentime history" : "screentime import undo \(known[0])",
            details: ProblemText.retyping(asked ?? "", known.first)
        )
    }
}

/// A table of times.
enum PastTable {
    private static let bytesMax = 200_000_000
    private static let linesMax = 5_000_000

    private struct Columns {
        var start: Int
        var end: Int?
        var length: Int?
        var app: Int?
        var site: Int?
    }

    static func read(_ invocation: Invocation) throws -> PastFindings {
        let path = invocation.subjects[0]
        let text = String(decoding: try PastImport.content(path, bytesMax: bytesMax), as: UTF8.self)
        var findings = PastFindings()
        var columns: Columns?
        var stretches: [PastStretch] = []
        let separator = text.prefix { !$0.isNewline }.first { ",;\t".contains($0) } ?? ","
        try eachLine(text, separator) { number, cells in
            guard let known = columns else {
                columns = try Self.columns(cells, invocation)
                return
            }
            stretches.append(try stretch(cells, known, number, invocation))
        }
        guard columns != nil else {
            throw Problem("import.empty_table", "\(path) has no lines.", help: "screentime import csv FILE")
        }
        let ordered = PastStretch.inOrder(stretches)
        findings.leave(twiceMs: ordered.lostMs)
        if !ordered.stretches.isEmpty {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            findings.devices = [PastDevice(name: name, isHere: true, stretches: ordered.stretches)]
        }
        return findings
    }

    /// Cells as RFC 4180 writes them: what is quoted may hold separators and line ends, and a doubled quote.
    static func eachLine(_ text: String, _ separator: Character, _ take: (Int64, [String]) throws -> Void)
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
                    throw ImportFault.problem(
                        "import.too_many_lines",
                        line,
                        "a table has at most \(linesMax) lines."
                    )
                }
            } else {
                cell.append(character)
            }
        }
        guard !isQuoted else {
            throw ImportFault.problem("import.open_quote", number, "a quote that begins here has no end.")
        }
        if !cell.isEmpty || !cells.isEmpty { try end() }
    }

    private static func columns(_ names: [String], _ invocation: Invocation) throws -> Columns {
        let plain = names.map { $0.lowercased().filter { $0.isLetter } }
        func column(_ option: String, _ usual: [String]) throws -> Int? {
            guard let asked = invocation.value(option) else {
                return usual.lazy.compactMap { plain.firstIndex(of: $0) }.first
            }
            if let index = names.firstIndex(of: asked) { return index }
            throw Problem(
                "import.no_column",
                "The table has no column “\(DisplayWidth.harmless(asked))”. It has: "
                    + names.map { DisplayWidth.harmless($0) }.joined(separator: ", ") + ".",
                help: "screentime import csv FILE \(option) COLUMN"
            )
        }
        let start = try column("--start", ["start", "starttime", "begin", "from", "timestamp"])
        let end = try column("--end", ["end", "endtime", "until", "to"])
        let length = try column("--length", ["duration", "length", "seconds"])
        guard let start, end != nil || length != nil else {
            throw Problem(
                "import.no_times",
                "Say which columns hold the beginning, and the end or the length. The table has: "
                    + names.map { DisplayWidth.harmless($0) }.joined(separator: ", ") + ".",
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

    private static func stretch(
        _ cells: [String],
        _ columns: Columns,
        _ line: Int64,
        _ invocation: Invocation
    ) throws
        -> PastStretch
    {
        func cell(_ index: Int?) -> String? {
            guard let index, index < cells.count, !cells[index].isEmpty else { return nil }
            return cells[index]
        }
        func unreadable(_ what: String, _ text: String?) -> Problem {
            ImportFault.problem(
                "import.bad_time",
                line,
                "“\(DisplayWidth.harmless(String((text ?? "").prefix(40))))” is no \(what). Nothing was brought in."
            )
        }
        guard let startMs = cell(columns.start).flatMap({ moment($0, invocation.nowMs) }) else {
            throw unreadable("moment such as 2026-11-20 17:00", cell(columns.start))
        }
        let endMs: Int64
        if let text = cell(columns.end) {
            guard let moment = moment(text, invocation.nowMs) else {
                throw unreadable("moment such as 2026-11-20 17:00", text)
            }
            endMs = moment
        } else {
            guard let length = cell(columns.length).flatMap({ lengthMs($0) }) else {
                throw unreadable("length such as 90, 0:01:30 or 1m30s", cell(columns.length))
            }
            endMs = startMs + length
        }
        guard endMs >= startMs, endMs - startMs <= 31 * 86_400_000 else {
            throw ImportFault.problem(
                "import.bad_time",
                line,
                "this ends before it begins, or lasts over 31 days. Nothing was brought in."
            )
        }
        let site = cell(columns.site)
        return PastStretch(
            startMs: startMs,
            endMs: endMs,
            app: cell(columns.app).flatMap { PastFindings.name($0) },
            domain: site.flatMap { PastFindings.domain(ofPage: $0.contains("://") ? $0 : "http://\($0)") }
        )
    }

    /// Also seconds and milliseconds since 1970.
    private static func moment(_ text: String, _ nowMs: Int64) -> Int64? {
        if let number = Double(text), number >= 100_000_000 {
            return number >= 100_000_000_000
                ? Int64(exactly: number.rounded()) : Int64(exactly: (number * 1000).rounded())
        }
        return LocalMoment.wallMs(text, nowMs: nowMs)
    }

    /// Seconds, `h:mm:ss`, or as durations are typed.
    private static func lengthMs(_ text: String) -> Int64? {
        if let seconds = Double(text), seconds >= 0, seconds <= 31 * 86_400 {
            return Int64((seconds * 1000).rounded())
        }
        let parts = text.split(separator: ":").map { Int64($0) }
        if (2...3).contains(parts.count), parts.allSatisfy({ $0.map { (0..<10_000).contains($0) } ?? false })
        {
            return parts.reduce(0) { $0 * 60 + ($1 ?? 0) } * 1000
        }
        return TextFormat.durationMs(text)
    }
}
