import Glibc
import STContracts
package import STPlatform

/// `screentime data export`.
enum ExportCommand {
    static let command = Command(
        ["data", "export"],
        "Writes everything that was recorded and set up here to a file, as JSON Lines",
        subjects: [
            .init(
                .file,
                "the file to write, or - for standard output; an existing file is never replaced",
                key: "help.arg-file.where-to-write-or-for"
            )
        ],
        options: [
            .init(
                "--from",
                value: "WHEN",
                summary: "only records from this time on: a day, or a day and a time",
                key: "help.--from.only-from-then-on-a"
            ),
            .init(
                "--to",
                value: "WHEN",
                summary: "only records up to this time",
                key: "help.--to.only-up-to-then"
            ),
            .init(
                "--member",
                value: "NAME",
                summary: "limits the output to this person",
                key: "help.--member.only-this-persons"
            ),
            .json,
        ],
        example: "screentime data export ~/screentime.jsonl"
    ) { try await run($0) }

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let scope = try scope(invocation)
        let subject = invocation.subjects[0]
        let path = subject == "-" ? subject : try FileTree.absolute(subject)
        let terminal = invocation.terminal
        return try await ServiceClients.with(invocation.directories) { clients in
            // A request comes first, so that no file is created if no service replies.
            _ = try await clients.call(MemberList.self, Empty())
            let file = try ExportFile(path, terminal)
            var writer = ExportWriter(clients, file: file, scope: scope, terminal: terminal)
            do {
                try await writer.write()
                try file.finish()
            } catch {
                file.discard()
                throw error
            }
            showSummary(writer, path: path, invocation: invocation)
            return writer.missing.isEmpty && writer.tooLong == 0 ? .done : .no
        }
    }

    private static func scope(_ invocation: Invocation) throws(Problem) -> ExportScope {
        let now = invocation.now
        let scope = ExportScope(
            from: try moment("--from", now: now, invocation: invocation),
            to: try moment("--to", now: now, invocation: invocation),
            member: invocation.value("--member")
        )
        guard scope.from ?? WallTime(ms: .min) < scope.to ?? .distantFuture else {
            throw Problem(
                "usage.bad_range",
                "--to must be later than --from.",
                help: "screentime data export FILE --from 2026-11-01 --to 2026-12-01"
            )
        }
        return scope
    }

    private static func moment(_ option: String, now: WallTime, invocation: Invocation) throws(Problem)
        -> WallTime?
    {
        guard let text = invocation.value(option) else { return nil }
        guard let moment = LocalMoment.wall(text, now: now), moment.ms >= 0 else {
            throw Problem(
                "usage.bad_moment",
                "\(option, "option") is “\(text, "text")”; it must be \(LocalMoment.expectation, "expectation").",
                help: "screentime data export FILE --from 2026-11-01 --to 2026-12-01"
            )
        }
        return moment
    }

    private static func showSummary(_ writer: ExportWriter, path: String, invocation: Invocation) {
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
        var lines = [
            Speech.say("data.lines", "\(path, "path")  \(file.lines, "lines") lines, ")
                + TextFormat.bytes(file.bytes)
        ]
        lines += counted.map { "  " + TransferStrings.counted($0, $1) }
        if file.isStandardOutput {
            // Standard output contains only the export.
        } else {
            terminal.write(lines.joined(separator: "\n"))
        }
        for (service, problem) in writer.missing {
            terminal.note(
                Speech.say("data.the-data-of-is", "The data of \(service, "service") is not in the file: ")
                    + Speech.say(problem)
            )
        }
        if writer.tooLong > 0 {
            terminal.note(
                Speech.say(
                    "data.entries-are-not-in",
                    """
                    Entries that are not in the file, because they exceed the maximum length of a line: \
                    \(writer.tooLong, "most").
                    """
                )
            )
        }
    }
}

/// The output of an export: a new file, or standard output.
package final class ExportFile {
    private static let bufferBytes = 64 * 1024

    private let path: String
    private let file: OwnedDescriptor?
    private let terminal: Terminal
    private var buffer: [UInt8] = []
    private(set) var lines: Int64 = 0
    private(set) var bytes: Int64 = 0

    var isStandardOutput: Bool { file == nil }

    package init(_ path: String, _ terminal: Terminal) throws(Problem) {
        self.path = path
        self.terminal = terminal
        guard path != "-" else {
            file = nil
            return
        }
        let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw Self.notMade(path, errno) }
        file = OwnedDescriptor(number)
    }

    private static func notMade(_ path: String, _ error: Int32) -> Problem {
        if error == EEXIST {
            return Problem(
                "export.exists",
                "\(path, "path") already exists, and an export never replaces a file.",
                help: "screentime data export \(path)-2"
            )
        }
        return Problem(
            "export.not_written",
            "Cannot write \(path, "path"): \(SystemError.text(error), "error")."
        )
    }

    /// Adds a line. Returns false if the line is too long and was left out.
    package func add(_ line: [UInt8]) throws(Problem) -> Bool {
        guard line.count <= ExportLine.bytesMax else { return false }
        buffer += line
        buffer.append(UInt8(ascii: "\n"))
        lines += 1
        if buffer.count >= Self.bufferBytes { try flush() }
        return true
    }

    /// Writes everything to the disk before it returns.
    package func finish() throws(Problem) {
        try flush()
        if let file, fsync(file.number) != 0, errno != EINVAL {
            throw Problem(
                "export.not_written",
                "Cannot write \(path, "path"): \(SystemError.text(errno), "errno").",
                key: "export.not_written.cannot-write"
            )
        }
    }

    /// Removes the file, because an incomplete export is of no use.
    package func discard() {
        if file != nil { unlink(path) }
    }

    private func flush() throws(Problem) {
        bytes += Int64(buffer.count)
        defer { buffer.removeAll(keepingCapacity: true) }
        guard let file else {
            // The terminal adds the last line end.
            if !buffer.isEmpty { terminal.write(String(decoding: buffer.dropLast(), as: UTF8.self)) }
            return
        }
        guard OwnedDescriptor.write(buffer, to: file.number) else {
            throw Problem(
                "export.not_written",
                "Cannot write \(path, "path"): \(SystemError.text(errno), "errno").",
                key: "export.not_written.cannot-write"
            )
        }
    }
}
