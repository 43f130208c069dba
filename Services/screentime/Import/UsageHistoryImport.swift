import Glibc
import STCommandCore
import STContracts
import STDomain
import STPlatform

/// Imports another program's usage records of a person. A dry run reports the result of an import.
struct UsageHistoryImport {
    /// Reads the other program's files.
    typealias Read = @Sendable (Invocation) async throws -> ImportFindings

    private static let progressInterval: Duration = .seconds(1)
    private static let appsShown = 12

    private let invocation: Invocation
    /// The program's name for people. Ids begin with it in lower case.
    private let program: String
    private var id: String { program.lowercased() }
    private let name: String
    private let findings: ImportFindings
    private var isDryRun: Bool { invocation.has("--dry-run") }

    private struct Outcome {
        var member = ""
        var tally = ImportTally()
        /// The ids on this computer, by the other program's names.
        var apps: [String: String] = [:]
        var names = DisplayNames()
        var rulesAdded: [RuleSpec] = []
        /// The rules whose names exist already. The existing rules stay unchanged.
        var existingRules: [String] = []
    }

    /// Runs an import. `program` is the program's name for people.
    static func run(_ invocation: Invocation, program: String, read: Read) async throws -> ExitCode {
        var findings = try await read(invocation)
        findings.skipFuture(after: invocation.now)
        let stamp = RFC3339.text(wallMs: invocation.now.ms).filter(\.isNumber)
        let past = UsageHistoryImport(
            invocation: invocation,
            program: program,
            name: "\(program.lowercased())-\(stamp)",
            findings: findings
        )
        let outcome = try await ServiceClients.with(invocation.directories) { try await past.importAll($0) }
        return try invocation.show(json: JSONOutput.pretty(past.json(outcome)), wraps: true) {
            past.lines(outcome)
        }
    }

    /// Returns the content of a file that a person named.
    static func content(_ path: String, bytesMax: Int) throws -> [UInt8] {
        let path = try FileTree.absolute(path)
        var about = stat()
        guard stat(path, &about) == 0, about.st_mode & S_IFMT == S_IFREG else {
            throw Problem(
                "import.not_readable",
                "\(path, "path") is not a file, or it cannot be read.",
                key: "import.not_readable.is-no-file"
            )
        }
        return try AtomicFile.read(path, limitBytes: bytesMax)
    }

    // MARK: - Importing

    private func importAll(_ clients: ServiceClients) async throws -> Outcome {
        let list = try await clients.call(MemberList.self, Empty())
        var outcome = Outcome()
        outcome.member = try member(list.members)
        outcome.apps = await ids(clients)
        outcome.names = await DisplayNames.load(outcome.apps.values, invocation: invocation, clients: clients)
        let prompt = ProofPrompt(invocation)
        let origin = ExportHeader.Origin(id: list.device.id, name: list.device.name, model: .mac)
        var usage = ImportUsage(
            clients,
            origin: origin,
            this: list.device,
            isHere: true,
            isDryRun: isDryRun,
            prompt: prompt
        )
        usage.name = name
        usage.members = [outcome.member]
        defer { invocation.terminal.progress("") }
        let all = findings.devices.reduce(0) { $0 + $1.intervals.count }
        var sent: Int64 = 0
        var lastProgress = SuspendingClock.now
        for device in findings.devices {
            let source = "\(id)/\(device.name)"
            let other = device.isHere ? nil : "\(id)-\(device.name)"
            if let other {
                usage.register(
                    ImportedDevice(
                        device: other,
                        name: "\(device.name) (\(program))",
                        model: .mac,
                        importedAt: ""
                    )
                )
            }
            for stretch in device.intervals {
                sent += 1
                let row = segment(stretch, sequence: sent, source: source, on: other, outcome: outcome)
                try await usage.add(row, line: sent, bytes: Self.bytesOfRow, tally: &outcome.tally)
                guard SuspendingClock.now - lastProgress >= Self.progressInterval else { continue }
                lastProgress = .now
                invocation.terminal.progress(
                    Speech.say(
                        "import.of-stretches-of-time",
                        "\(sent, "sent") of \(all, "all") usage intervals"
                    )
                )
            }
        }
        try await usage.flush(&outcome.tally)
        try await addRules(prompt, clients: clients, outcome: &outcome)
        return outcome
    }

    /// Returns the member for the import. Another account's limits never become this person's own by mistake.
    private func member(_ members: [Member]) throws -> String {
        if let asked = invocation.value("--member") {
            try NameCheck.checkMember(asked, among: members.map(\.name))
            return asked
        }
        guard let account = findings.account, account != AccountName.current else {
            return members.ofThisAccount?.name ?? ""
        }
        if let found = members.first(where: { $0.account == account })
            ?? members.first(where: { $0.name == account })
        {
            return found.name
        }
        throw Problem(
            "import.whose",
            """
            The account \(DisplayWidth.sanitized(account), "account") does not belong to a member of the \
            household. Name its owner with --member.
            """,
            help: "screentime import \(id) \(account) --member NAME"
        )
    }

    /// More than any row has.
    private static let bytesOfRow = 1_000

    private func addRules(_ prompt: ProofPrompt, clients: ServiceClients, outcome: inout Outcome)
        async throws
    {
        guard !findings.rules.isEmpty else { return }
        let there = Set(try await RuleListCommand.all(clients).compactMap(\.rule.name))
        for found in findings.rules {
            var rule = found
            rule.member = outcome.member
            rule.targets = rule.targets.map { TokenItem(kind: $0.kind, id: outcome.apps[$0.id] ?? $0.id) }
            let name = rule.name ?? ""
            guard !there.contains(name) else {
                outcome.existingRules.append(name)
                continue
            }
            if !isDryRun {
                try await prompt.run { [rule] proof in
                    _ = try await clients.call(RuleAdd.self, .init(rule, proof: proof))
                }
            }
            outcome.rulesAdded.append(rule)
        }
        guard !isDryRun, !outcome.rulesAdded.isEmpty, outcome.tally[.usage].added == 0 else { return }
        // The history contains the import's name, so that it can be undone like any other.
        try await prompt.run { proof in
            let request = UsageImport.Request(
                rows: [],
                notifications: [],
                name: name,
                member: outcome.member,
                proof: proof
            )
            _ = try await clients.call(UsageImport.self, request)
        }
    }

    /// Returns a row. The same usage has the same id in each import, so a later import adds only new usage.
    private func segment(
        _ stretch: ImportedInterval,
        sequence: Int64,
        source: String,
        on device: String?,
        outcome: Outcome
    ) -> Segment {
        let app = stretch.app.map { outcome.apps[$0] ?? $0 }
        // Rows need a boot clock. Each period of five years has its own, which follows the wall clock. A clock can count ten
        // years.
        let year = CivilDate(daysSinceEpoch: Int(stretch.start.ms / 86_400_000)).year / 5 * 5
        let baseMs = Int64(CivilDate(year: year, month: 1, day: 1).daysSinceEpoch - 1) * 86_400_000
        let category =
            stretch.presence == .active ? CategoryMap().category(app: app, domain: stretch.domain) : nil
        return Segment(
            segment: "\(source)/\(stretch.start.ms)",
            agent: id,
            run: name,
            sequence: sequence,
            member: outcome.member,
            presence: stretch.presence,
            app: app,
            domain: stretch.domain,
            bootId: "\(source)/\(year)",
            startBootMs: stretch.start.ms - baseMs,
            endBootMs: stretch.end.ms - baseMs,
            startWallMs: stretch.start.ms,
            zone: ZonedClock.here.zone ?? "UTC",
            category: category?.rawValue,
            device: device
        )
    }

    /// Returns the desktop's ids by the other program's names of the apps.
    private func ids(_ clients: ServiceClients) async -> [String: String] {
        let finder = await AppFinder.load(invocation, clients, readsEntries: false)
        var ids: [String: String] = [:]
        let named = findings.rules.flatMap(\.targets).map(\.id)
        for app in findings.devices.flatMap(\.intervals).compactMap(\.app) + named where ids[app] == nil {
            if case .one(let id)? = finder?.find(app) { ids[app] = id } else { ids[app] = app }
        }
        return ids
    }

    // MARK: - Result

    private struct Span {
        var first: WallTime
        var last: WallTime
        var days: Int
        var used: Duration
    }

    private func span(_ device: ImportSource) -> Span {
        let used = device.intervals.filter { $0.presence == .active }
        let days = Set(used.map { ZonedClock.here.day($0.start).daysSinceEpoch }).count
        return Span(
            first: device.intervals.first?.start ?? WallTime(ms: 0),
            last: device.intervals.last?.end ?? WallTime(ms: 0),
            days: days,
            used: used.reduce(.zero) { $0 + $1.length }
        )
    }

    private func used(_ outcome: Outcome) -> [(app: String, id: String, used: Duration)] {
        var sums: [String: Duration] = [:]
        for stretch in findings.devices.flatMap(\.intervals) {
            if let app = stretch.app { sums[app, default: .zero] += stretch.length }
        }
        return sums.map { ($0.key, outcome.apps[$0.key] ?? $0.key, $0.value) }
            .sorted { ($1.used, $0.app) < ($0.used, $1.app) }
    }

    private func lines(_ outcome: Outcome) -> [String] {
        let counts = outcome.tally[.usage]
        var lines = findings.devices.map { device in
            let span = span(device)
            let (first, last) = (
                ZonedClock.here.day(span.first).text, ZonedClock.here.day(span.last).text
            )
            let name = DisplayWidth.sanitized(device.name)
            let shown =
                device.isHere ? Speech.say("import.device-of-here", "\(name, "name") (this computer)") : name
            let used = TextFormat.duration(ms: span.used.ms, in: Speech.language, inHours: true)
            return Speech.say(
                "import.in-use-on-days",
                count: span.days,
                one: """
                    \(shown, "device"): \(used, "used") of usage on 1 day, from \(first, "first") to \
                    \(last, "last").
                    """,
                other: """
                    \(shown, "device"): \(used, "used") of usage on \(span.days, "count") days, from \
                    \(first, "first") to \(last, "last").
                    """
            )
        }
        lines += appLines(outcome)
        if counts.lines > 0 {
            let who = DisplayWidth.sanitized(outcome.member)
            let what = TransferStrings.counted(.usage, counts.added)
            lines.append(
                isDryRun
                    ? Speech.say(
                        "import.to-be-added-to",
                        "To be added to the records of \(who, "who"): \(what, "what")."
                    )
                    : Speech.say(
                        "import.added-to-what-is",
                        "Added to the records of \(who, "who"): \(what, "what")."
                    )
            )
        }
        lines += leftLines(outcome) + ruleLines(outcome) + findings.remarks
        if !isDryRun, counts.added > 0 || !outcome.rulesAdded.isEmpty {
            lines.append(
                Speech.say(
                    "import.screentime-import-undo-takes",
                    "To undo this import, run `screentime import undo \(name, "name")`."
                )
            )
        } else if isDryRun {
            lines.append(Speech.say("import.nothing-was-changed", "Nothing was changed."))
        }
        return lines
    }

    /// Returns the apps with another name on this computer, and the unknown ones, so that a person can correct them.
    private func appLines(_ outcome: Outcome) -> [String] {
        let used = used(outcome)
        guard !used.isEmpty else { return [] }
        let shown = used.prefix(Self.appsShown).map { app, id, used in
            let length = TextFormat.duration(ms: used.ms, in: Speech.language, inHours: true)
            let title = outcome.names.contains(id) ? "\(outcome.names[id]) (\(id))" : id
            return "  \(DisplayWidth.sanitized(app == id ? title : "\(app) → \(title)"))  \(length)"
        }
        let more = used.count - shown.count
        return [Speech.say("import.apps-and-what-they", "Apps and their names on this computer:")] + shown
            + (more > 0 ? [Speech.say("import.and-more", "  and \(more, "more") more")] : [])
    }

    private func leftLines(_ outcome: Outcome) -> [String] {
        let counts = outcome.tally[.usage]
        var lines: [String] = []
        if counts.duplicates > 0 {
            lines.append(
                Speech.say(
                    "import.are-here-already-from",
                    "Already here from an earlier import: \(counts.duplicates, "duplicates")."
                )
            )
        }
        if counts.skipped > 0 {
            let length = TextFormat.duration(ms: outcome.tally.overlap.ms, in: Speech.language, inHours: true)
            lines.append(
                Speech.say(
                    "import.are-left-out-something",
                    """
                    Left out: \(counts.skipped, "left") (\(length, "length")), because other usage is already \
                    recorded for that time.
                    """
                )
            )
        }
        return lines
            + ImportFindings.Reason.allCases.compactMap { reason in
                findings.skipped[reason].map { Self.sentence(reason, $0) }
            }
    }

    private static func sentence(_ reason: ImportFindings.Reason, _ count: Int64) -> String {
        switch reason {
        case .damaged:
            Speech.say(
                "import.entries-of-the-file",
                "Entries left out because their time or length cannot be read: \(count, "count")."
            )
        case .future:
            Speech.say(
                "import.entries-reach-into-the",
                "Entries left out because they end in the future: \(count, "count")."
            )
        case .otherWatcher:
            Speech.say(
                "import.entries-of-other-watchers",
                """
                Entries of other watchers (editors, input, media) left out, because Screen Time does not \
                store such data: \(count, "count").
                """
            )
        case .twice:
            Speech.say(
                "import.where-two-entries-told",
                "Where two entries cover the same time, the earlier one counts."
            )
        }
    }

    private func ruleLines(_ outcome: Outcome) -> [String] {
        guard !findings.rules.isEmpty else { return [] }
        let title =
            isDryRun
            ? Speech.say("import.these-rules-would-be", "Rules that would be created:")
            : Speech.say("import.these-rules-were-made", "Rules created:")
        var lines = outcome.rulesAdded.isEmpty ? [] : [title]
        lines += outcome.rulesAdded.map { "  " + RuleSentence.summary($0, outcome.names) }
        if !outcome.existingRules.isEmpty {
            let names = outcome.existingRules.map { DisplayWidth.sanitized($0) }.joined(separator: ", ")
            lines.append(
                Speech.say(
                    "import.already-here-and-left",
                    "These rules already exist and were not changed: \(names, "names")."
                )
            )
        }
        return lines
    }

    private func json(_ outcome: Outcome) throws -> JSONValue {
        let counts = outcome.tally[.usage]
        let devices = findings.devices.map { device -> JSONValue in
            let span = span(device)
            return [
                "name": .string(device.name), "here": .bool(device.isHere),
                "days": .integer(Int64(span.days)),
                "used_ms": .integer(span.used.ms), "from": .string(RFC3339.text(wallMs: span.first.ms)),
                "to": .string(RFC3339.text(wallMs: span.last.ms)),
            ]
        }
        return [
            "import": .string(name), "dry_run": .bool(isDryRun), "member": .string(outcome.member),
            "devices": .array(devices), "added": .integer(counts.added),
            "duplicates": .integer(counts.duplicates), "overlapping": .integer(counts.skipped),
            "overlapping_ms": .integer(outcome.tally.overlap.ms),
            "left_out": .object(
                Dictionary(
                    uniqueKeysWithValues: findings.skipped.map { ($0.key.rawValue, .integer($0.value)) }
                )
            ),
            "apps": .array(
                used(outcome).map {
                    ["called": .string($0.app), "app": .string($0.id), "used_ms": .integer($0.used.ms)]
                }
            ),
            "rules": .array(outcome.rulesAdded.map { .string($0.name ?? "") }),
            "rules_there": .array(outcome.existingRules.map { .string($0) }),
        ]
    }
}
