import Glibc
import STContracts
import STPlatform

/// `screentime data …`.
enum DataCommand {
    static let commands: [Command] = [
        Command(
            ["data", "backup"],
            "Copies every database into a folder while the services keep running",
            subjects: [
                .init(
                    .folder,
                    "the folder for the copies; created if it does not exist",
                    key: "help.arg-folder.where-the-copies-go-made"
                )
            ],
            options: [.json],
            example: "screentime data backup ~/screentime-backup"
        ) { try await backup($0) },
        DataRestore.command,
        DataVerify.command,
        DeleteUsageCommand.command,
        ExportCommand.command,
        ImportGrammar.data,
        DataRebuild.command,
    ]

    /// Enough for a large ledger on a slow disk.
    private static let timeout = ServiceClients.longestTimeout

    private struct Copy: Sendable {
        var service: ServiceName
        var result: Result<DataBackup.Reply, Problem>
    }

    private static func backup(_ invocation: Invocation) async throws -> ExitCode {
        let directory = try FileTree.absolute(invocation.subjects[0])
        let copies = try await ServiceClients.with(invocation.directories) { clients in
            let running = await clients.results(HealthPing.self, Empty(), timeout: SystemView.timeout)
                .compactMap { service, answer in (try? answer.get()) == nil ? nil : service }
            guard !running.isEmpty else { throw StatusCommand.nothingRuns }
            let services = (ServiceName.all + ServiceName.ofHousehold).filter { running.contains($0) }
            try refuseExisting(directory, services)
            try Directories.prepare(directory)
            var copies: [Copy] = []
            for service in services {
                let copy = await copy(service, directory: directory, clients: clients)
                if !invocation.wantsJSON { invocation.terminal.write(line(copy)) }
                copies.append(copy)
            }
            return copies
        }
        let failed = copies.filter { (try? $0.result.get()) == nil }
        if invocation.wantsJSON { invocation.terminal.write(JSONOutput.pretty(try json(copies, directory))) }
        let missing = ServiceName.all.filter { service in !copies.contains { $0.service == service } }
        if !missing.isEmpty {
            let names = missing.map(\.rawValue).joined(separator: ", ")
            invocation.terminal.note(
                Speech.say(
                    "data.not-copied-because-these",
                    "Not copied, because these services do not answer: \(names, "names")."
                )
            )
        }
        return failed.isEmpty && missing.isEmpty ? .done : .no
    }

    private static func copy(_ service: ServiceName, directory: String, clients: ServiceClients) async
        -> Copy
    {
        do {
            let request = DataBackup.Request(path: path(service, directory))
            let reply = try await clients.call(DataBackup.self, to: service, request, timeout: timeout)
            return Copy(service: service, result: .success(reply))
        } catch {
            return Copy(service: service, result: .failure(ProblemText.problem(error)))
        }
    }

    private static func line(_ copy: Copy) -> String {
        switch copy.result {
        case .success(let reply): "\(reply.path)  \(TextFormat.bytes(reply.bytes))"
        case .failure(let problem):
            Speech.say("data.was-not-copied", "\(copy.service, "service") was not copied: ")
                + Speech.say(problem)
        }
    }

    private static func json(_ copies: [Copy], _ directory: String) throws -> JSONValue {
        let rows = try copies.map { copy -> JSONValue in
            switch copy.result {
            case .success(let reply):
                [
                    "service": .string(copy.service.rawValue), "path": .string(reply.path),
                    "bytes": .integer(reply.bytes),
                ]
            case .failure(let problem):
                ["service": .string(copy.service.rawValue), "problem": try JSONOutput.value(of: problem)]
            }
        }
        return ["directory": .string(directory), "copies": .array(rows)]
    }

    private static func path(_ service: ServiceName, _ directory: String) -> String {
        "\(directory)/\(service.rawValue).sqlite"
    }

    /// Checks all paths before anything is written, so that a refusal leaves no incomplete backup.
    private static func refuseExisting(_ directory: String, _ services: [ServiceName]) throws(Problem) {
        for service in services {
            let path = path(service, directory)
            var about = stat()
            guard lstat(path, &about) != 0 else {
                throw Problem(
                    "backup.exists",
                    "\(path, "path") already exists, and a backup never replaces a file.",
                    help: "screentime data backup \(directory)-2"
                )
            }
        }
    }
}

/// `screentime data verify`.
enum DataVerify {
    static let command = Command(
        ["data", "verify"],
        "Checks that the usage records have not been changed since they were written",
        options: [
            .init(
                "--from",
                place: .folder,
                summary: "checks a backup in this folder, or Screen Time's own files while it is stopped",
                key: "help.--from.of-this-backup-or-of"
            ), .json,
        ],
        example: "screentime data verify"
    ) { try await run($0) }

    /// Interval of the progress line.
    private static let progressInterval: Duration = .seconds(1)

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        if let directory = invocation.value("--from") {
            let reply = try file(try FileTree.absolute(directory), invocation)
            return try show(reply, losses: [], damages: [], invocation: invocation)
        }
        let terminal = invocation.terminal
        let (reply, losses, damages) = try await ServiceClients.with(invocation.directories) {
            clients -> (UsageVerify.Reply, [HistoryLine], [Message]) in
            let losses = try await openLosses(clients, invocation)
            var reply = try await fetch(nil, clients)
            var lastProgress = SuspendingClock.now
            while let next = reply.next {
                if !invocation.wantsJSON, terminal.isTerminal,
                    SuspendingClock.now - lastProgress >= progressInterval
                {
                    lastProgress = .now
                    terminal.note(
                        Speech.say(
                            "data.rows-checked",
                            "Checked \(reply.checked, "count") of \(reply.total, "all") rows"
                        )
                    )
                }
                let page = try await fetch(next, clients)
                guard page.checked > reply.checked || page.next == nil else {
                    throw Problem("data.no_progress", "activity-center is making no progress. Try again.")
                }
                reply = page
            }
            return (reply, losses, await Self.damages(clients))
        }
        return try show(reply, losses: losses, damages: damages, invocation: invocation)
    }

    /// Returns one message for each damaged file. Services that do not reply are left out.
    private static func damages(_ clients: ServiceClients) async -> [Message] {
        let answers = await clients.results(DataCheck.self, Empty(), timeout: ServiceClients.longestTimeout)
        return answers.compactMap { service, answer in
            switch answer {
            case .success(let reply): reply.damage
            case .failure(let problem) where problem.code == "service.not_running": nil
            case .failure(let problem):
                Message("data.service-problem", "\(service, "service"): \(problem.text, "text")")
            }
        }.sorted { $0.english < $1.english }
    }

    /// Runs the service's program to check the file of a backup or a stopped system.
    private static func file(_ directory: String, _ invocation: Invocation) throws -> UsageVerify.Reply {
        let name = "\(ServiceName.activity).sqlite"
        // A backup has the files of all services in one folder. A running system has a folder for each service.
        let places = ["\(directory)/\(name)", "\(directory)/\(ServiceName.activity)/\(name)"]
        guard let path = places.first(where: { access($0, R_OK) == 0 }) else {
            throw Problem(
                "data.not_found",
                "\(directory, "directory") contains no \(name, "name"), or the file cannot be read.",
                help: "screentime data verify --from ~/screentime-backup"
            )
        }
        let run = try ProgramRun.run(
            try SystemPlaces(invocation).executable(of: .activity),
            ["--verify", path],
            environment: invocation.environment,
            timeout: ServiceClients.longestTimeout
        )
        let line = Array((run.output.split(separator: "\n").last ?? "").utf8)
        if run.status.isSuccess { return try UsageVerify.Reply.decodedBody(line) }
        throw (try? Problem.decodedBody(line))
            ?? Problem("data.not_checked", "The check of \(path, "path") failed: \(run.status, "status").")
    }

    private static func show(
        _ reply: UsageVerify.Reply,
        losses: [HistoryLine],
        damages: [Message],
        invocation: Invocation
    ) throws -> ExitCode {
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            var members: [String: JSONValue] = ["ledger": try JSONOutput.value(of: reply)]
            members["losses"] = .array(try losses.map { try JSONOutput.value(of: $0) })
            if !damages.isEmpty { members["damages"] = .array(damages.map { .string($0.english) }) }
            terminal.write(JSONOutput.pretty(.object(members)))
        } else {
            let text = HistoryText.losses(losses, terminal) + lines(reply) + damages.map { Speech.say($0) }
            terminal.write(text.joined(separator: "\n"))
        }
        let isWhole = reply.fault == nil && reply.historyFault == nil && damages.isEmpty
        return isWhole && losses.isEmpty ? .done : .no
    }

    private static func openLosses(_ clients: ServiceClients, _ invocation: Invocation) async throws
        -> [HistoryLine]
    {
        do {
            return try await clients.call(HistoryList.self, .init(limit: 1)).losses
        } catch var problem as Problem where problem.code == "service.not_running" {
            problem.help = "screentime data verify --from \(invocation.directories.state)"
            throw problem
        }
    }

    private static func fetch(_ next: String?, _ clients: ServiceClients) async throws -> UsageVerify.Reply {
        try await clients.call(UsageVerify.self, .init(next: next), timeout: ServiceClients.longestTimeout)
    }

    static func lines(_ reply: UsageVerify.Reply) -> [String] {
        let history = reply.historyFault.map { [DisplayWidth.sanitized(Speech.say($0.text))] } ?? []
        return ledger(reply) + history
    }

    private static func ledger(_ reply: UsageVerify.Reply) -> [String] {
        if let fault = reply.fault {
            let before = Speech.say(
                "data.the-before-it-are",
                "Unchanged before that row: \(rows(reply.checked), "rows")."
            )
            return [
                DisplayWidth.sanitized(Speech.say(fault.text)),
                fault.row > 1
                    ? before : Speech.say("data.it-is-the-first", "The affected row is the first row."),
            ]
        }
        var lines = [
            Speech.say(
                "data.the-record-of-use",
                "The usage records are unchanged: \(rows(reply.total), "rows")."
            )
        ]
        if reply.forgotten > 0 {
            let count = rows(reply.forgotten)
            lines.append(
                Speech.say(
                    "data.the-content-of-was",
                    "The content of \(count, "count") was deleted with `screentime data forget`."
                )
            )
        }
        if let chain = reply.chain {
            lines.append(
                Speech.say(
                    "data.its-last-link-is",
                    "The last hash in the chain of the usage records is \(chain, "chain")."
                )
            )
            lines.append(
                Speech.say(
                    "data.note-this-link-elsewhere",
                    """
                    Save the number of rows and this hash in another place. If a later check shows another \
                    hash for the same number of rows, the records were rewritten.
                    """
                )
            )
        }
        return lines
    }

    static func rows(_ count: Int64) -> String {
        Speech.say("data.rows", count: Int(count), one: "1 row", other: "\(count, "count") rows")
    }
}

/// `screentime data rebuild`.
enum DataRebuild {
    static let command = Command(
        ["data", "rebuild"],
        "Recalculates the figures of reports from the usage records; reports keep working meanwhile",
        options: [.json],
        example: "screentime data rebuild"
    ) { try await run($0) }

    private static let pollInterval: Duration = .milliseconds(100)
    /// Longer than any one step of the calculation takes on a slow disk.
    private static let stallTimeout: Duration = .seconds(60 * 5)

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let terminal = invocation.terminal
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            var reply = try await clients.call(ReportRebuild.self, .init(starts: true))
            var lastChange = SuspendingClock.now
            defer { terminal.progress("") }
            while reply.state == .running {
                try await Task.sleep(for: pollInterval)
                if !invocation.wantsJSON { terminal.progress(progress(reply)) }
                let next = try await clients.call(ReportRebuild.self, .init(starts: false))
                if next.rows != reply.rows { lastChange = .now }
                reply = next
                guard SuspendingClock.now - lastChange < stallTimeout else {
                    throw Problem(
                        "data.rebuild_stalled",
                        "The recalculation made no progress for five minutes. Reports still use the old figures.",
                        help: "screentime status"
                    )
                }
            }
            return reply
        }
        if invocation.wantsJSON {
            terminal.write(try JSONOutput.pretty(of: reply))
            return reply.state == .done ? .done : .no
        }
        if let problem = reply.problem { throw problem }
        guard reply.state == .done else {
            // report-service ended during the calculation.
            throw Problem(
                "data.rebuild_ended",
                """
                report-service was restarted during the recalculation, so reports still use the old figures. \
                Try again.
                """,
                help: "screentime data rebuild"
            )
        }
        terminal.write(line(reply))
        return .done
    }

    private static func progress(_ reply: ReportRebuild.Reply) -> String {
        let rows = DataVerify.rows(reply.rows)
        guard let percent = reply.percent else { return rows }
        let bar = DisplayWidth.padded(BarChart.bar(percent, of: 100, width: 30), 30)
        return "\(bar) \(percent) %  \(rows)"
    }

    static func line(_ reply: ReportRebuild.Reply) -> String {
        let tenths = (reply.tookMs + 50) / 100
        let took = "\(tenths / 10).\(tenths % 10)"
        let rows = DataVerify.rows(reply.rows)
        return Speech.say(
            "data.the-figures-of-reports",
            "Report figures were recalculated from \(rows, "rows") in \(took, "took") s."
        )
    }
}
