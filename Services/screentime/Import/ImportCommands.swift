import Glibc
package import STCommandCore
import STContracts
import STPlatform

/// Implements the commands in `ImportGrammar`, which read and write files of other programs.
package enum ImportCommands {
    package static let bodies: [[String]: CommandRunner.Body] = [
        ["import", "activitywatch"]: {
            try await UsageHistoryImport.run($0, program: "ActivityWatch") { try await activityWatch($0) }
        },
        ["import", "timekpr"]: {
            try await UsageHistoryImport.run($0, program: "timekpr") { try Timekpr.read($0) }
        },
        ["import", "malcontent"]: {
            try await UsageHistoryImport.run($0, program: "malcontent") { try await GnomeLimits.read($0) }
        },
        ["import", "csv"]: {
            try await UsageHistoryImport.run($0, program: "CSV") { try UsageTableReader.read($0) }
        },
        ["import", "undo"]: { try await undo($0) },
        ["export", "activitywatch"]: { try await ActivityWatchExport.run($0) },
        ["data", "import"]: { try await DataImport.run($0) },
    ]

    // MARK: - ActivityWatch

    private static let server = "http://127.0.0.1:5600"
    private static let fetchTimeout: Duration = .seconds(300)

    private static func activityWatch(_ invocation: Invocation) async throws -> ImportFindings {
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
            bytes = try UsageHistoryImport.content(path, bytesMax: ActivityWatchFile.bytesMax)
        } else {
            bytes = try await fetched(invocation.value("--server") ?? server, invocation)
        }
        let names = here
        return try await OwnThread.run("import") { try ActivityWatchFile.read(bytes, here: names) }
    }

    /// Fetches the server's export with curl, over HTTP or HTTPS only.
    private static func fetched(_ server: String, _ invocation: Invocation) async throws -> [UInt8] {
        guard server.hasPrefix("http://") || server.hasPrefix("https://"), !server.contains(" ") else {
            throw Problem(
                "usage.bad_address",
                "--server is “\(server, "server")”; it must be an address such as \(Self.server, "server2").",
                help: "screentime import activitywatch --server \(Self.server)"
            )
        }
        guard let curl = ProgramRun.path(of: "curl", environment: invocation.environment) else {
            throw Problem(
                "import.no_curl",
                """
                Fetching the export requires the program curl. Install it, or name a file that you exported \
                from ActivityWatch's page.
                """,
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
                    "--fail", "--silent", "--show-error", "--max-time", String(fetchTimeout.ms / 1000),
                    "--proto",
                    "=http,https", "--noproxy", "127.0.0.1,localhost", "--max-filesize",
                    String(ActivityWatchFile.bytesMax), "--", address,
                ],
                environment: environment,
                output: file,
                timeout: fetchTimeout + .seconds(5)
            )
        }
        guard run.status.isSuccess else {
            let reason = DisplayWidth.sanitized(
                run.output.split(separator: "\n").first.map(String.init) ?? ""
            )
            throw Problem(
                "import.no_server",
                """
                ActivityWatch does not respond at \(server, "server"): \(reason, "reason"). Start it, or \
                name a file that you exported from its page.
                """,
                help: "screentime import activitywatch FILE"
            )
        }
        lseek(file.number, 0, SEEK_SET)
        return try OwnedDescriptor.readAll(
            file.number,
            limitBytes: ActivityWatchFile.bytesMax,
            tooLarge: Problem(
                "file.too_large",
                """
                The export from \(server, "server") is larger than \
                \(TextFormat.bytes(Int64(ActivityWatchFile.bytesMax)), "bytes"), which is the maximum. Make \
                it smaller.
                """
            )
        )
    }

    // MARK: - Undoing an import

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
            let total = try await DeleteUsageCommand.delete(request, prompt: prompt, clients: clients) {
                rows in
                invocation.terminal.progress(
                    Speech.say(
                        "import.stretches-of-time-taken",
                        "Usage intervals removed: \(rows, "rows")"
                    )
                )
            }
            var rules: [RuleView] = []
            let program = name.prefix { $0 != "-" }
            // Imports from other programs make no rules.
            guard program == "timekpr" || program == "malcontent" else { return (name, total, rules) }
            for view in try await RuleListCommand.all(clients) where view.rule.member == member {
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
            let what = TransferStrings.counted(.usage, total.rows)
            return [
                total.rows == 0
                    ? Speech.say("import.taken-back", "The import \(name, "name") was undone.")
                    : Speech.say(
                        "import.taken-back-reports-are",
                        """
                        The import \(name, "name") was undone, which removed \(what, "what"). Reports are \
                        recalculated without this usage.
                        """
                    )
            ] + rules.map { Self.gone($0) }
        }
    }

    /// Returns the line about a removed rule. If loosening is delayed, the rule still applies for that time.
    private static func gone(_ view: RuleView) -> String {
        let name = DisplayWidth.sanitized(view.rule.name ?? "")
        return view.pending == nil
            ? Speech.say("import.removed-the-rule", "Removed the rule “\(name, "name")”.")
            : Speech.say(
                "import.the-rule-goes-once",
                "The rule “\(name, "name")” will be removed when the waiting period for loosening rules ends."
            )
    }

    /// Finds an import in the history that was not undone, and the member whose usage was imported.
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
            text: asked.map {
                Message("import.unknown.by-name", "There is no import \($0.sanitized, "name") to undo.")
            } ?? Message("import.unknown", "There is no import to undo."),
            help: near.isEmpty ? "screentime history" : "screentime import undo \(known[0])",
            details: ProblemText.retyping(asked ?? "", known.first)
        )
    }
}
