import STCommandCore
import STContracts
import STPlatform

/// `screentime data import`.
enum DataImport {
    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let path = try FileTree.absolute(invocation.subjects[0])
        let isDryRun = invocation.has("--dry-run")
        let terminal = invocation.terminal
        let file = try ImportFile(path)
        let tally = try await ServiceClients.with(invocation.directories) { clients in
            var session = try await ImportSession(
                file,
                clients: clients,
                isHere: invocation.has("--here"),
                isDryRun: isDryRun,
                prompt: ProofPrompt(invocation),
                terminal: terminal
            )
            defer { terminal.progress("") }
            try await session.run()
            return session.tally
        }
        if invocation.wantsJSON {
            let value = try ImportText.json(tally, header: file.header, path: path, isDryRun: isDryRun)
            terminal.write(JSONOutput.pretty(value))
        } else {
            let lines = ImportText.lines(tally, header: file.header, isDryRun: isDryRun, terminal: terminal)
            terminal.write(lines.joined(separator: "\n"))
        }
        if let missing = file.end.missing, !missing.isEmpty {
            let names = missing.map { DisplayWidth.sanitized($0) }.joined(separator: ", ")
            terminal.note(
                Speech.say(
                    "import.the-file-has-no",
                    "The file has no data from \(names, "names"), because they did not reply during the export."
                )
            )
        }
        return tally.faultCount == 0 ? .done : .no
    }
}

/// The results of the lines of a file so far.
struct ImportTally: Sendable, Equatable {
    struct Count: Sendable, Equatable {
        var lines: Int64 = 0
        var added: Int64 = 0
        var duplicates: Int64 = 0
        /// The number of lines that were left out. `faults` has the reasons.
        var skipped: Int64 = 0
    }

    /// The reason why a line was left out. Other lines are not affected.
    struct Fault: Sendable, Equatable {
        var line: Int64
        var code: String
        var text: Message
    }

    /// Upper bound on the listed faults.
    static let faultsMax = 100

    private(set) var counts: [ExportLine.Kind: Count] = [:]
    private(set) var faults: [Fault] = []
    /// The number of faults, including those that are not listed.
    private(set) var faultCount: Int64 = 0
    /// The length of the usage whose time overlaps other usage.
    var overlap: Duration = .zero

    subscript(kind: ExportLine.Kind) -> Count {
        get { counts[kind] ?? Count() }
        set { counts[kind] = newValue }
    }

    mutating func skip(_ kind: ExportLine.Kind, line: Int64, code: String, text: Message) {
        self[kind].skipped += 1
        faultCount += 1
        if faults.count < Self.faultsMax { faults.append(Fault(line: line, code: code, text: text)) }
    }
}

/// Formats the results of an import.
enum ImportText {
    private static let faultsShown = 10

    static func lines(_ tally: ImportTally, header: ExportHeader, isDryRun: Bool, terminal: Terminal)
        -> [String]
    {
        let name = DisplayWidth.sanitized(header.device.name)
        let moment = TimeText.text(wire: header.exportedAt)
        let title =
            isDryRun
            ? Speech.say(
                "import.what-would-happen-with-the-export",
                "Dry run with the export of \(name, "name") from \(moment, "moment"):"
            )
            : Speech.say("import.the-export", "The export of \(name, "name") from \(moment, "moment"):")
        var table = TextTable([
            (
                (isDryRun
                    ? Speech.say("import.would-be-added", "WOULD BE ADDED")
                    : Speech.say("import.added", "ADDED")), .right
            ),
            (Speech.say("import.there-already", "ALREADY HERE"), .right),
            (Speech.say("import.left-out", "LEFT OUT"), .right),
            ("", .left),
        ])
        for kind in ExportLine.Kind.allCases where kind.skipReason == nil && kind != .device {
            let count = tally[kind]
            guard count.lines > 0 else { continue }
            table.add([
                .init(String(count.added)), .init(String(count.duplicates)), .init(String(count.skipped)),
                .init(TransferStrings.name(kind, 2)),
            ])
        }
        var lines = [title, ""] + table.lines(columns: terminal.columns, terminal)
        let read = ExportLine.Kind.allCases.compactMap { kind in
            kind.skipReason.map { (kind, tally[kind].lines, $0) }
        }.filter { $0.1 > 0 }
        if !read.isEmpty {
            lines += [
                "",
                Speech.say(
                    "import.in-the-file-for",
                    "Not imported, because the export contains these only for reference:"
                ),
            ]
            lines += read.map { "  \(TransferStrings.counted($0, $1)): \($2)" }
        }
        if tally.faultCount > 0 {
            lines += ["", Speech.say("import.left-out-2", "Left out:")]
            lines += tally.faults.prefix(faultsShown).map {
                Speech.say("import.line", "  line \($0.line, "line"): ") + Speech.say($0.text)
                    + " [\($0.code)]"
            }
            let more = tally.faultCount - Int64(min(faultsShown, tally.faults.count))
            if more > 0 {
                lines.append(
                    Speech.say(
                        "import.and-more-json-names",
                        "  and \(more, "more") more; --json lists the first \(ImportTally.faultsMax, "most")"
                    )
                )
            }
        }
        return lines
    }

    static func json(_ tally: ImportTally, header: ExportHeader, path: String, isDryRun: Bool) throws
        -> JSONValue
    {
        var counts: [String: JSONValue] = [:]
        for (kind, count) in tally.counts {
            counts[kind.rawValue] = [
                "lines": .integer(count.lines), "added": .integer(count.added),
                "duplicates": .integer(count.duplicates), "left": .integer(count.skipped),
            ]
            if let why = kind.skipReason {
                counts[kind.rawValue] = ["lines": .integer(count.lines), "not_brought_back": .string(why)]
            }
        }
        return [
            "file": .string(path), "dry_run": .bool(isDryRun),
            "exported_at": .string(header.exportedAt), "device": .string(header.device.id),
            "counts": .object(counts), "left": .integer(tally.faultCount),
            "faults": .array(
                tally.faults.map {
                    [
                        "line": .integer($0.line), "code": .string($0.code),
                        "message": .string($0.text.english),
                    ]
                }
            ),
        ]
    }
}
