import STContracts
import STPlatform

/// `screentime data export`.
enum DataExport {
    static let command = Command(
        ["data", "export"],
        "Writes down everything that people made and did here, as JSON Lines",
        subjects: [.init("FILE", "where it goes, or - for standard output; never replaces a file")],
        options: [
            .init("--from", "WHEN", "only what was from then on: a day, or a day and a time"),
            .init("--to", "WHEN", "only what was before"),
            .init("--member", "NAME", "only this person's"),
            .json,
        ],
        example: "screentime data export ~/screentime.jsonl"
    ) { try await run($0) }

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let scope = try scope(invocation)
        let subject = invocation.subjects[0]
        let path = subject == "-" ? subject : try AppCommands.absolute(subject)
        let terminal = invocation.terminal
        return try await ServiceClients.with(invocation.directories) { clients in
            // Asked first, so that nothing is left behind where nobody answers.
            _ = try await clients.call(MemberList.self, Empty())
            let file = try ExportFile(path, terminal)
            var writer = ExportWriter(clients, file, scope, terminal)
            do {
                try await writer.write()
                try file.finish()
            } catch {
                file.discard()
                throw error
            }
            tell(writer, path, invocation)
            return writer.missing.isEmpty && writer.tooLong == 0 ? .done : .no
        }
    }

    private static func scope(_ invocation: Invocation) throws(Problem) -> ExportScope {
        let nowMs = SystemTimeSource().now().wallMs
        let scope = ExportScope(
            fromWallMs: try moment("--from", nowMs, invocation),
            toWallMs: try moment("--to", nowMs, invocation),
            member: invocation.value("--member")
        )
        guard scope.fromWallMs ?? .min < scope.toWallMs ?? .max else {
            throw Problem(
                "usage.bad_range",
                "--to is not after --from, so there is nothing between them.",
                help: "screentime data export FILE --from 2026-11-01 --to 2026-12-01"
            )
        }
        return scope
    }

    private static func moment(_ option: String, _ nowMs: Int64, _ invocation: Invocation) throws(Problem)
        -> Int64?
    {
        guard let text = invocation.value(option) else { return nil }
        guard let moment = LocalMoment.wallMs(text, nowMs: nowMs), moment >= 0 else {
            throw Problem(
                "usage.bad_moment",
                "\(option) is “\(text)”, and wants \(LocalMoment.expectation).",
                help: "screentime data export FILE --from 2026-11-01 --to 2026-12-01"
            )
        }
        return moment
    }

    private static func tell(_ writer: ExportWriter, _ path: String, _ invocation: Invocation) {
        let terminal = invocation.terminal
        let file = writer.file
        let counted = ExportLine.Kind.allCases.compactMap { kind in
            writer.counts[kind].map { (kind, $0) }
        }
        terminal.progress("")
        if invocation.wantsJSON, !file.isStandardOutput {
            let counts = Dictionary(
                uniqueKeysWithValues: counted.map { ($0.rawValue, JSONValue.integer($1)) }
            )
            let missing = writer.missing.map { JSONValue.string($0.service.rawValue) }
            terminal.write(
                JSONOutput.pretty([
                    "file": .string(path), "lines": .integer(file.lines), "bytes": .integer(file.bytes),
                    "counts": .object(counts), "missing": .array(missing),
                    "too_long": .integer(writer.tooLong),
                ])
            )
            return
        }
        var lines = ["\(path)  \(file.lines) lines, \(TextFormat.bytes(file.bytes))"]
        lines += counted.map { "  \($1) \(TransferWords.name($0, $1))" }
        if file.isStandardOutput {
            // That stream is the export's own.
        } else {
            terminal.write(lines.joined(separator: "\n"))
        }
        for (service, problem) in writer.missing {
            terminal.note("What \(service) keeps is not in it: \(problem.message)")
        }
        if writer.tooLong > 0 {
            terminal.note("\(writer.tooLong) things are not in it: each is longer than any line may be.")
        }
    }
}
