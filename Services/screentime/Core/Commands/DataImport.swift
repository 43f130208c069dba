import STContracts
import STPlatform

/// `screentime data import`.
enum DataImport {
    static let command = Command(
        ["data", "import"],
        "Brings back what `data export` wrote down; what is there already is left alone",
        subjects: [.init("FILE", "what `data export` wrote")],
        options: [
            .init("--here", nil, "it was lived on this computer, before it was set up anew"),
            .init("--dry-run", nil, "only say what would come of it"),
            .json,
        ],
        example: "screentime data import ~/screentime.jsonl --dry-run"
    ) { try await run($0) }

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let path = try AppCommands.absolute(invocation.subjects[0])
        let isDryRun = invocation.has("--dry-run")
        let terminal = invocation.terminal
        let file = try ImportFile(path)
        let tally = try await ServiceClients.with(invocation.directories) { clients in
            var session = try await ImportSession(
                file,
                clients,
                isHere: invocation.has("--here"),
                isDryRun: isDryRun,
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
            terminal.note("What \(names) kept is not in the file: they did not answer when it was written.")
        }
        return tally.faultCount == 0 ? .done : .no
    }
}
