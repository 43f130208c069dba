import STCommandCore
import STContracts
import STPlatform

/// Imports a file line by line.
struct ImportSession {
    /// Interval of the progress line.
    private static let progressInterval: Duration = .seconds(1)

    let file: ImportFile
    let clients: ServiceClients
    let isDryRun: Bool
    let prompt: ProofPrompt
    let terminal: Terminal
    private(set) var tally = ImportTally()
    private var usage: ImportUsage
    private var household: [Member]
    private var choices: [String: CategoryChoice] = [:]
    private var lists: [String: DomainList] = [:]
    /// The lists that this import created.
    private var begun: Set<String> = []
    /// The existing rules by name. `nil` until the first rule is read.
    private var rules: [String: RuleSpec]?
    private var lastProgress = SuspendingClock.now

    init(
        _ file: ImportFile,
        clients: ServiceClients,
        isHere: Bool,
        isDryRun: Bool,
        prompt: ProofPrompt,
        terminal: Terminal
    ) async throws {
        self.file = file
        self.clients = clients
        self.isDryRun = isDryRun
        self.prompt = prompt
        self.terminal = terminal
        let known = try await clients.call(MemberList.self, Empty())
        household = known.members
        usage = ImportUsage(
            clients,
            origin: file.header.device,
            this: known.device,
            isHere: isHere,
            isDryRun: isDryRun,
            prompt: prompt
        )
        usage.members = Set(household.map(\.name))
        var request = CategoryList.Request()
        repeat {
            let page = try await clients.call(CategoryList.self, request)
            for choice in page.choices { choices[choice.subject] = choice }
            for list in page.lists ?? [] { lists[list.name] = list }
            request.next = page.next
        } while request.next != nil
    }

    mutating func run() async throws {
        do {
            while let (number, name, bytes) = try file.next() {
                guard let kind = ExportLine.Kind(rawValue: name) else { continue }
                try await importLine(kind, number: number, bytes: bytes)
                showProgress(number)
            }
            try await usage.flush(&tally)
        } catch let problem as Problem {
            throw await stopped(problem)
        }
    }

    /// Imports the lines before an invalid line. The returned problem says where the import stopped.
    private mutating func stopped(_ problem: Problem) async -> Problem {
        var problem = problem
        try? await usage.flush(&tally)
        if isDryRun {
            problem.text = Message(
                "import.nothing-would-be",
                "\(problem.text, "problem") Nothing was imported. A real import would stop at this line."
            )
            return problem
        }
        let added = tally.counts.values.reduce(0) { $0 + $1.added }
        problem.text = Message(
            "import.before-that",
            count: Int(added),
            one: """
                \(problem.text, "problem") Before that, 1 line was imported. Correct the problem and run the \
                same command again to import the rest. Existing data does not change.
                """,
            other: """
                \(problem.text, "problem") Before that, \(added, "count") lines were imported. Correct the \
                problem and run the same command again to import the rest. Existing data does not change.
                """
        )
        problem.details["added"] = String(added)
        return problem
    }

    private mutating func showProgress(_ number: Int64) {
        guard SuspendingClock.now - lastProgress >= Self.progressInterval else { return }
        lastProgress = .now
        terminal.progress(
            Speech.say("import.lines-read", "\(number, "count") of \(file.lines + 1, "all") lines")
        )
    }

    private mutating func importLine(_ kind: ExportLine.Kind, number: Int64, bytes: [UInt8]) async throws {
        if kind.skipReason != nil {
            tally[kind].lines += 1
            return
        }
        let line: ExportLine
        do {
            line = try ExportLine.decodedBody(bytes)
        } catch {
            throw ImportFault.located(Self.unreadable(error), number)
        }
        if let device = line.device {
            tally[kind].lines += 1
            tally[kind].added += 1
            usage.register(device)
        } else if let member = line.member {
            try await add(member, number)
        } else if let choice = line.category {
            try await add(choice, number)
        } else if let list = line.list {
            try await add(list, number)
        } else if let view = line.rule {
            try await add(view.rule, number)
        } else if let row = line.usage {
            try await usage.add(row, line: number, bytes: bytes.count, tally: &tally)
        } else if let row = line.notified {
            try await usage.add(row, line: number, bytes: bytes.count, tally: &tally)
        } else {
            throw ImportFault.located(Problem("import.empty_line", "the line is empty."), number)
        }
    }

    private static func unreadable(_ error: any Error) -> Problem {
        var problem = ProblemText.problem(error)
        if let field = problem.field {
            problem.text = Message(
                "import.it-is-about",
                "\(problem.text, "problem") Field: \(field, "field")."
            )
        }
        problem.code = "import.bad_line"
        return problem
    }

    // MARK: - Settings

    private mutating func add(_ member: Member, _ number: Int64) async throws {
        tally[.member].lines += 1
        if let known = household.first(where: { $0.name == member.name }) {
            guard known.role != member.role else {
                tally[.member].duplicates += 1
                return
            }
            let name = DisplayWidth.sanitized(member.name)
            tally.skip(
                .member,
                line: number,
                code: "import.other_role",
                text: Message(
                    "import.other-role",
                    """
                    \(name, "name") keeps the role \(known.role.label, "role"), although the role in the \
                    file is \(member.role.label, "other").
                    """
                )
            )
            return
        }
        do {
            if !isDryRun { _ = try await clients.call(MemberAdd.self, member) }
        } catch let problem as Problem where !problem.retryable {
            throw ImportFault.located(problem, number)
        }
        household.append(member)
        usage.members.insert(member.name)
        if isDryRun { usage.wouldBeAdded.insert(member.name) }
        tally[.member].added += 1
    }

    private mutating func add(_ choice: CategoryChoice, _ number: Int64) async throws {
        tally[.category].lines += 1
        if let known = choices[choice.subject] {
            guard known.category != choice.category else {
                tally[.category].duplicates += 1
                return
            }
            tally.skip(
                .category,
                line: number,
                code: "import.other_category",
                text: Message(
                    "import.other-category",
                    """
                    \(DisplayWidth.sanitized(choice.subject), "subject") keeps the category \
                    \(known.category, "category"), which was chosen on this computer.
                    """
                )
            )
            return
        }
        try await attempt(.category, number: number) { clients, proof in
            let request = CategorySet.Request(
                subject: choice.subject,
                category: choice.category,
                proof: proof
            )
            _ = try await clients.call(CategorySet.self, request)
        }
    }

    private mutating func add(_ list: ExportedList, _ number: Int64) async throws {
        tally[.list].lines += 1
        let known = lists[list.name]
        if let known, !begun.contains(list.name) {
            // A shorter list is incomplete: its import was interrupted, or sites were removed.
            if known.category == list.category, known.count >= list.count {
                tally[.list].duplicates += 1
                return
            }
            if known.category != list.category {
                tally.skip(
                    .list,
                    line: number,
                    code: "import.other_list",
                    text: Message(
                        "import.other-list",
                        """
                        A list named \(DisplayWidth.sanitized(list.name), "list") already exists in the \
                        category \(known.category, "category"), and is not changed.
                        """
                    )
                )
                return
            }
        }
        let isTaken = try await attempt(.list, number: number) { clients, proof in
            let request = CategoryListAdd.Request(
                name: list.name,
                category: list.category,
                domains: list.domains,
                append: known == nil ? nil : true,
                proof: proof
            )
            _ = try await clients.call(CategoryListAdd.self, request)
        }
        guard isTaken else { return }
        begun.insert(list.name)
        lists[list.name] = DomainList(name: list.name, category: list.category, count: 0, addedAt: "")
    }

    private mutating func add(_ rule: RuleSpec, _ number: Int64) async throws {
        tally[.rule].lines += 1
        let name = rule.name ?? ""
        if let there = try await knownRules()[name] {
            guard there != rule else {
                tally[.rule].duplicates += 1
                return
            }
            tally.skip(
                .rule,
                line: number,
                code: "import.other_rule",
                text: Message(
                    "import.other-rule",
                    """
                    Another rule with the name \(DisplayWidth.sanitized(name), "rule") already exists, and is \
                    not changed.
                    """
                )
            )
            return
        }
        let isTaken = try await attempt(.rule, number: number) { clients, proof in
            _ = try await clients.call(RuleAdd.self, .init(rule, proof: proof))
        }
        if isTaken { rules?[name] = rule }
    }

    private mutating func knownRules() async throws -> [String: RuleSpec] {
        if let rules { return rules }
        let views = try await RuleListCommand.all(clients)
        let found = Dictionary(views.map { ($0.rule.name ?? "", $0.rule) }) { $1 }
        rules = found
        return found
    }

    /// Runs the body. If a service rejects the line, the fault is listed and the import continues.
    @discardableResult
    private mutating func attempt(
        _ kind: ExportLine.Kind,
        number: Int64,
        body: (ServiceClients, Proof?) async throws -> Void
    ) async throws -> Bool {
        do {
            if !isDryRun { try await prompt.run { try await body(clients, $0) } }
        } catch let problem as Problem where !problem.retryable {
            tally.skip(kind, line: number, code: problem.code, text: problem.text)
            return false
        }
        tally[kind].added += 1
        return true
    }
}
