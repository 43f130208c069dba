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
                clients,
                isHere: invocation.has("--here"),
                isDryRun: isDryRun,
                ProofPrompt(invocation),
                terminal
            )
            defer { terminal.progress("") }
            try await session.run()
            return session.tally
        }
        if invocation.wantsJSON {
            let value = try ImportText.json(tally, file.header, path, isDryRun: isDryRun)
            terminal.write(JSONOutput.pretty(value))
        } else {
            let lines = ImportText.lines(tally, file.header, isDryRun: isDryRun, terminal)
            terminal.write(lines.joined(separator: "\n"))
        }
        if let missing = file.end.missing, !missing.isEmpty {
            let names = missing.map { DisplayWidth.harmless($0) }.joined(separator: ", ")
            terminal.note(
                Speech.say(
                    "The file has no data of \(names): they did not answer when it was written.",
                    "파일을 쓸 때 답하지 않아서 없는 것: \(names)."
                )
            )
        }
        return tally.faultCount == 0 ? .done : .no
    }
}

/// What came of the lines of a file so far.
struct ImportTally: Sendable, Equatable {
    struct Count: Sendable, Equatable {
        var lines: Int64 = 0
        var added: Int64 = 0
        var duplicates: Int64 = 0
        /// For a reason that stands among the faults.
        var left: Int64 = 0
    }

    /// Why a line was left out; the others are not affected.
    struct Fault: Sendable, Equatable {
        var line: Int64
        var code: String
        var text: String
    }

    /// How many are listed one by one.
    static let faultsMax = 100

    private(set) var counts: [ExportLine.Kind: Count] = [:]
    private(set) var faults: [Fault] = []
    /// Also those that are not listed.
    private(set) var faultCount: Int64 = 0
    /// The length of the stretches in whose time something else is known.
    var overlapMs: Int64 = 0

    subscript(kind: ExportLine.Kind) -> Count {
        get { counts[kind] ?? Count() }
        set { counts[kind] = newValue }
    }

    mutating func leave(_ kind: ExportLine.Kind, _ line: Int64, _ code: String, _ text: String) {
        self[kind].left += 1
        faultCount += 1
        if faults.count < Self.faultsMax { faults.append(Fault(line: line, code: code, text: text)) }
    }
}

/// Says what came of a file.
enum ImportText {
    private static let faultsShown = 10

    static func lines(_ tally: ImportTally, _ header: ExportHeader, isDryRun: Bool, _ terminal: Terminal)
        -> [String]
    {
        let name = DisplayWidth.harmless(header.device.name)
        let moment = TimeText.text(wire: header.exportedAt)
        let title = Speech.say(
            "\(isDryRun ? "What would happen with the" : "The") export of \(name) from \(moment):",
            "\(moment)에 내보낸 \(name)의 파일\(isDryRun ? "을 가져오면" : ""):"
        )
        var table = TextTable([
            (Speech.say(isDryRun ? "WOULD BE ADDED" : "ADDED", isDryRun ? "추가될 것" : "추가"), .right),
            (Speech.say("THERE ALREADY", "이미 있음"), .right), (Speech.say("LEFT OUT", "뺌"), .right),
            ("", .left),
        ])
        for kind in ExportLine.Kind.allCases where kind.whyLeft == nil && kind != .device {
            let count = tally[kind]
            guard count.lines > 0 else { continue }
            table.add([
                .init(String(count.added)), .init(String(count.duplicates)), .init(String(count.left)),
                .init(TransferWords.name(kind, 2)),
            ])
        }
        var lines = [title, ""] + table.lines(columns: terminal.columns, terminal)
        let read = ExportLine.Kind.allCases.compactMap { kind in
            kind.whyLeft.map { (kind, tally[kind].lines, $0) }
        }.filter { $0.1 > 0 }
        if !read.isEmpty {
            lines += [
                "",
                Speech.say("In the file for reading only, not brought back:", "파일에서 읽을 수만 있고, 되돌리지 않는 것:"),
            ]
            lines += read.map { "  \(TransferWords.counted($0, $1)): \($2)" }
        }
        if tally.faultCount > 0 {
            lines += ["", Speech.say("Left out:", "뺀 것:")]
            lines += tally.faults.prefix(faultsShown).map {
                Speech.say("  line \($0.line): ", "  \($0.line)번째 줄: ") + Speech.told($0.text)
                    + " [\($0.code)]"
            }
            let more = tally.faultCount - Int64(min(faultsShown, tally.faults.count))
            if more > 0 {
                lines.append(
                    Speech.say(
                        "  and \(more) more; --json names the first \(ImportTally.faultsMax)",
                        "  그 밖에 \(more)개. --json에 처음 \(ImportTally.faultsMax)개가 있습니다"
                    )
                )
            }
        }
        return lines
    }

    static func json(_ tally: ImportTally, _ header: ExportHeader, _ path: String, isDryRun: Bool) throws
        -> JSONValue
    {
        var counts: [String: JSONValue] = [:]
        for (kind, count) in tally.counts {
            counts[kind.rawValue] = [
                "lines": .integer(count.lines), "added": .integer(count.added),
                "duplicates": .integer(count.duplicates), "left": .integer(count.left),
            ]
            if let why = kind.whyLeft {
                counts[kind.rawValue] = ["lines": .integer(count.lines), "not_brought_back": .string(why)]
            }
        }
        return [
            "file": .string(path), "dry_run": .bool(isDryRun),
            "exported_at": .string(header.exportedAt), "device": .string(header.device.id),
            "counts": .object(counts), "left": .integer(tally.faultCount),
            "faults": .array(
                tally.faults.map {
                    ["line": .integer($0.line), "code": .string($0.code), "message": .string($0.text)]
                }
            ),
        ]
    }
}
