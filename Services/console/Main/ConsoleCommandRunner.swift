import Glibc
import STCommandCore
import STCommandImport
import STContracts
import STPlatform
import Synchronization

/// Runs commands for the page, with the same checks and messages as in a terminal.
actor ConsoleCommandRunner {
    /// Commands that only read. The page requests them with GET, with any options.
    private static let readCommands: Set<String> = [
        "", "report", "why", "doctor", "status", "history", "rule list", "request list", "member list",
        "member show", "app list", "app show", "app log", "app deliveries", "category show",
    ]
    private static let changeCommands: Set<String> = [
        "limit add", "limit edit", "downtime add", "downtime edit", "window add", "window edit", "goal add",
        "goal edit", "break add", "break edit", "allow add",
        "rule remove", "rule pause",
        "request add", "request approve", "request deny", "request revoke", "request code", "request setup",
        "member add", "member set", "member account", "member passcode",
        "import activitywatch", "import timekpr", "import malcontent", "import undo",
        "app access", "app enforce", "app retry",
    ]
    /// Upper bound on the concurrent commands. Each has its own threads and sockets while it runs.
    private static let atOnceMax = 8
    private static let simulationCacheTime = Duration.seconds(30)
    private static let simulationTimeout = Duration.seconds(300)

    private let environment: [String: String]
    private var running = 0
    private var queue: [CheckedContinuation<Void, Never>] = []
    private var simulation:
        (
            request: CommandRequest, language: DisplayLanguage, bytes: Task<[UInt8], any Error>,
            end: SuspendingClock.Instant?
        )?

    init(_ environment: [String: String]) { self.environment = environment }

    /// Returns the output of the command with `--json`.
    func output(_ request: CommandRequest, language: DisplayLanguage) async throws -> String {
        try await run(request.adding(["json": ""]), allowed: Self.readCommands, language: language).output
    }

    /// Returns the report that the command writes. A picture is written to a temporary file first.
    func report(_ request: CommandRequest, as form: ReportForm, language: DisplayLanguage) async throws
        -> [UInt8]
    {
        if request.command == "app try" {
            return try await simulation(request.adding(form.option), form: form, language: language)
        }
        guard form == .png else {
            return Array(
                try await run(request.adding(form.option), allowed: Self.readCommands, language: language)
                    .output.utf8
            )
        }
        let run = try Directories.from(environment: environment).run
        let path = "\(run)/picture-\(TraceIdentifiers.span()).png"
        defer { unlink(path) }
        _ = try await self.run(
            request.adding(["png": path]),
            allowed: Self.readCommands,
            language: language,
            file: path
        )
        return try AtomicFile.read(path, limitBytes: 16 << 20)
    }

    /// Simulates a week of an installed app. This takes seconds and many processes, so only one simulation runs at a time.
    /// A page that reloads soon gets the last result. Unlike the command, the page accepts no folder as an app.
    private func simulation(_ request: CommandRequest, form: ReportForm, language: DisplayLanguage)
        async throws
        -> [UInt8]
    {
        guard request.subjects.count == 1, let app = request.subjects.first, ![".", ".."].contains(app),
            !app.contains(where: { $0 == "/" || $0 == "\0" }), request.options == form.option
        else { throw Self.notAllowed }
        if let simulation, simulation.request == request, simulation.language == language,
            simulation.end.map({ SuspendingClock.now - $0 < Self.simulationCacheTime }) ?? true
        {
            return try await simulation.bytes.value
        }
        let before = simulation?.bytes
        let bytes = Task {
            _ = try? await before?.value
            let played = Task { try await run(request, allowed: ["app try"], language: language).output }
            let limit = Task {
                try await Task.sleep(for: Self.simulationTimeout)
                played.cancel()
            }
            defer { limit.cancel() }
            return Array(try await played.value.utf8)
        }
        simulation = (request, language, bytes, nil)
        defer {
            if simulation?.request == request, simulation?.language == language {
                simulation?.end = .now
            }
        }
        return try await bytes.value
    }

    /// Returns the output of the command as text, as in a terminal.
    func text(_ request: CommandRequest, language: DisplayLanguage) async throws -> String {
        try await run(request, allowed: Self.readCommands, language: language).output
    }

    /// Makes a change and returns the command's messages.
    func change(_ request: CommandRequest, language: DisplayLanguage, proof: PassedProof) async throws
        -> String
    {
        let result = try await run(request, allowed: Self.changeCommands, language: language, proof: proof)
        return (result.output + result.notes).trimmed
    }

    private struct Result: Sendable {
        var output = ""
        var notes = ""
    }

    private func run(
        _ request: CommandRequest,
        allowed: Set<String>,
        language: DisplayLanguage,
        proof: PassedProof = PassedProof(passcode: nil, new: nil),
        file: String? = nil
    ) async throws -> Result {
        await acquireSlot()
        defer { releaseSlot() }
        let result = Mutex(Result())
        var terminal = Terminal(isTerminal: false, isColoured: false, columns: 100)
        terminal.proof = proof
        terminal.sink = { text, descriptor in
            result.withLock {
                if descriptor == 1 { $0.output += text } else { $0.notes += text }
            }
        }
        var environment = environment
        environment["LC_ALL"] = "\(language.code).UTF-8"
        environment["LANGUAGE"] = nil
        let code = try await CommandRunner.attempt(
            request,
            environment: environment,
            terminal: terminal,
            language: language,
            bodies: ImportCommands.bodies
        ) { command, subjects, options in
            guard allowed.contains(command.words.joined(separator: " ")) else {
                throw Self.notAllowed
            }
            // Requests of a page must not name files of this computer, or another computer.
            let hasPlace =
                command.options.contains { $0.place != nil && ![nil, "-", file].contains(options[$0.name]) }
                || !subjects.isEmpty && command.subjects.contains { $0.place != nil }
            guard !hasPlace, options["--follow"] == nil, options["--open"] == nil else {
                throw Problem(
                    "console.not_here",
                    """
                    The page cannot run commands with files, addresses, --follow or --open. Run the command \
                    in a terminal.
                    """
                )
            }
        }
        let done = result.withLock { $0 }
        guard code == .done || !done.output.isEmpty else {
            throw Problem("console.not_done", verbatim: done.notes.trimmed)
        }
        return done
    }

    private static var notAllowed: Problem {
        Problem(
            "console.not_here",
            "The page cannot run this command. Type it in a terminal.",
            key: "console.not_here.the-page-does"
        )
    }

    private func acquireSlot() async {
        guard running >= Self.atOnceMax else { return running += 1 }
        await withCheckedContinuation { queue.append($0) }
    }

    /// Ends a command. The next one in the queue takes its place.
    private func releaseSlot() {
        if queue.isEmpty { running -= 1 } else { queue.removeFirst().resume() }
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.last?.isNewline == true { text = text.dropLast() }
        return String(text)
    }
}
