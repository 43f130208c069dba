import STContracts
import STPlatform
import STRules
import STZeroMQ

/// `screentime rule apply`: creates and updates rules from files. It is safe to run repeatedly.
///
/// `anna.rules` is for one person, and `@class-5b.rules` for all members of that group of the system. A line is `NAME: limit
/// category:games 1h`, in the syntax of the command. Nothing is changed unless all lines are valid.
enum RuleFolder {
    struct Line: Equatable {
        var file: String
        var number: Int
        var name: String
        var words: [String]
    }

    /// The result for one rule.
    private enum RuleFileOutcome: String {
        case added, changed, waits, removed, refused
        case same = "unchanged"
    }

    private struct AppliedRule {
        var member: String
        var deed: RuleFileOutcome
        var spec: RuleSpec
        var problem: Problem?

        var name: String { spec.name ?? "" }
    }

    private static let suffix = ".rules"
    private static let fileBytesMax = 256 * 1024
    private static let kinds: [RuleKind] = [.limit, .downtime, .window, .goal, .break, .allow]
    private static let example = "games: limit category:games 1h --on mon-fri"

    static func apply(_ invocation: Invocation) async throws -> ExitCode {
        let files = try read(invocation.subjects[0])
        let prompt = ProofPrompt(
            invocation,
            passcode: try invocation.value("--passcode").map { try ProofPrompt.secret(in: $0) }
        )
        let (done, skipped, apps) = try await ServiceClients.with(invocation.directories) { clients in
            let household = try await clients.call(MemberList.self, Empty()).members
            let (people, skipped) = people(files, household)
            let wanted = try await specs(
                people,
                household: household,
                invocation: invocation,
                clients: clients
            )
            var done: [AppliedRule] = []
            for (member, specs) in wanted {
                done += try await apply(
                    specs,
                    to: member,
                    invocation: invocation,
                    prompt: prompt,
                    clients: clients
                )
            }
            return (
                done, skipped,
                await DisplayNames.load(
                    of: done.flatMap { $0.spec.targets + ($0.spec.opens ?? []) },
                    invocation,
                    clients
                )
            )
        }
        return show(done, skipped: skipped, apps: apps, invocation: invocation)
    }

    // MARK: - Reading

    static func read(_ folder: String) throws -> [String: [Line]] {
        let names = try DirectoryTree.names(in: folder).filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }
        guard !names.isEmpty else {
            throw Problem(
                "rule.no_files",
                "\(folder, "folder") contains no rules file, such as anna.rules or @class-5b.rules.",
                help: "screentime rule apply --help"
            )
        }
        var files: [String: [Line]] = [:]
        for file in names {
            let bytes = try AtomicFile.read("\(folder)/\(file)", limitBytes: fileBytesMax)
            files[String(file.dropLast(suffix.count))] = try lines(
                String(decoding: bytes, as: UTF8.self),
                file
            )
        }
        return files
    }

    static func lines(_ text: String, _ file: String) throws(Problem) -> [Line] {
        var lines: [Line] = []
        let typed = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in typed.enumerated() {
            let place = (file, index + 1)
            let words = try split(line, place)
            guard let first = words.first else { continue }
            guard first.count > 1, first.hasSuffix(":"), words.count > 1 else {
                throw bad(
                    place,
                    Message(
                        "rule.bad_line.it-begins-with",
                        "The line must begin with a name and a colon, followed by a rule."
                    )
                )
            }
            let name = String(first.dropLast())
            guard !lines.contains(where: { $0.name == name }) else {
                throw bad(
                    place,
                    Message(
                        "rule.bad_line.stands-twice",
                        "The name \(name, "name") is used twice in this file."
                    )
                )
            }
            lines.append(Line(file: file, number: index + 1, name: name, words: Array(words.dropFirst())))
        }
        guard !lines.isEmpty else {
            throw bad((file, 1), Message("rule.bad_line.there-is-no-rule", "The file contains no rule."))
        }
        return lines
    }

    /// Splits a line into words and removes a comment after `#`. Blanks in quotes are kept.
    private static func split(_ line: Substring, _ place: (String, Int)) throws(Problem) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            switch character {
            case quote: quote = nil
            case _ where quote != nil: word?.append(character)
            case "\"", "'":
                quote = character
                word = word ?? ""
            case "#" where word == nil: return words
            case _ where character.isWhitespace:
                if let done = word { words.append(done) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        guard quote == nil else {
            throw bad(place, Message("rule.bad_line.a-quote-is-not", "A quote is not closed."))
        }
        return words + (word.map { [$0] } ?? [])
    }

    private static func bad(_ place: (file: String, number: Int), _ why: Message) -> Problem {
        Problem(
            "rule.bad_line",
            """
            \(place.file, "file"), line \(place.number, "number"): \(why, "why") Write it like “\(example, "example")”.
            """,
            help: "screentime rule apply --help"
        )
    }

    /// Returns the lines for each person of this computer, and the files that apply to no person.
    ///
    /// A person's own file takes precedence over the files of groups.
    static func people(
        _ files: [String: [Line]],
        _ household: [Member],
        group: (String) -> [String]? = { AccountGroup.members(of: $0) }
    ) -> (lines: [String: [Line]], skipped: [String]) {
        var people: [String: [Line]] = [:]
        var skipped: [String] = []
        for (name, lines) in files.sorted(by: { !isGroup($0.key) && isGroup($1.key) }) {
            let isGroup = isGroup(name)
            let accounts = isGroup ? group(String(name.dropFirst())) ?? [] : []
            let members = household.filter { member in
                isGroup ? member.account.map { accounts.contains($0) } ?? false : member.name == name
            }
            if members.isEmpty { skipped.append(name + suffix) }
            for member in members {
                let known = Set((people[member.name] ?? []).map(\.name))
                people[member.name, default: []] += lines.filter { !known.contains($0.name) }
            }
        }
        return (people, skipped.sorted())
    }

    private static func isGroup(_ file: String) -> Bool { file.hasPrefix("@") }

    /// Returns the rules for each person. Throws for an invalid line, before anything is changed.
    private static func specs(
        _ people: [String: [Line]],
        household: [Member],
        invocation: Invocation,
        clients: ServiceClients
    ) async throws -> [(member: String, specs: [RuleSpec])] {
        // A program may be installed later than its rule.
        var resolving = AppArgumentResolver(
            await AppFinder.load(invocation, clients),
            takesAny: true,
            takesAll: true
        )
        var wanted: [(String, [RuleSpec])] = []
        for member in household {
            guard let lines = people[member.name] else { continue }
            var specs: [RuleSpec] = []
            for line in lines {
                do {
                    var spec = try spec(line, invocation)
                    spec.targets = try resolving.items(spec.targets)
                    spec.opens = try spec.opens.map { opens throws(Problem) in try resolving.items(opens) }
                    // Names of rules are unique on the whole computer.
                    spec.name = "\(member.name)-\(line.name)"
                    spec = try RuleCheck.checked(spec, for: member)
                    // An always-allowed app has no consequence.
                    if spec.kind == .allow { spec.then = nil }
                    specs.append(spec)
                } catch {
                    throw bad((line.file, line.number), Problem(error).text)
                }
            }
            wanted.append((member.name, specs))
        }
        return wanted
    }

    private static func spec(_ line: Line, _ invocation: Invocation) throws -> RuleSpec {
        guard let kind = kinds.first(where: { $0.rawValue == line.words[0] }) else {
            let list = kinds.map(\.rawValue).joined(separator: ", ")
            throw Problem(
                "rule.bad_line",
                "\(line.words[0], "word") is not a kind of rule. The kinds are: \(list, "kinds").",
                key: "rule.bad_line.is-none-of"
            )
        }
        let typed = [kind.rawValue, "add"] + line.words.dropFirst()
        guard case .run(_, let subjects, let options) = try CommandLineParser.parse(typed),
            options["--member"] == nil, options["--name"] == nil
        else {
            throw Problem(
                "rule.bad_line",
                """
                The name of the file sets the person, and the line sets the name of the rule. Leave out \
                --member and --name.
                """,
                key: "rule.bad_line.the-file-says"
            )
        }
        func spec(_ options: [String: String]) throws -> RuleSpec {
            let typed = Invocation(
                subjects: subjects,
                options: options,
                environment: invocation.environment,
                directories: invocation.directories,
                terminal: invocation.terminal
            )
            return try RuleArguments.spec(kind, typed)
        }
        do { return try spec(options) } catch let problem as Problem where problem.code == ExceptionDays.past
        {
            // The file may stay unchanged when its holidays have passed.
            return try spec(options.filter { $0.key != "--except" })
        }
    }

    // MARK: - Applying

    private static func apply(
        _ wanted: [RuleSpec],
        to member: String,
        invocation: Invocation,
        prompt: ProofPrompt,
        clients: ServiceClients
    ) async throws -> [AppliedRule] {
        let isTrial = invocation.has("--dry-run")
        let there = try await RuleListCommand.all(clients, member: member)
        let names = Set(wanted.compactMap(\.name))
        let today = ZonedClock.here.day(invocation.now).text
        var done: [AppliedRule] = []
        // Removed first, to make room for a rule under a new name.
        for rule in there where invocation.has("--only") && !names.contains(rule.rule.name ?? "") {
            guard kinds.contains(rule.rule.kind), !isStop(rule.rule) else { continue }
            let gone = try await remove(rule, isTrial: isTrial, prompt: prompt, clients: clients)
            done.append(AppliedRule(member: member, deed: gone, spec: rule.rule))
        }
        for spec in wanted {
            let now = there.first { $0.rule.name == spec.name }
            var made = AppliedRule(
                member: member,
                deed: plannedOutcome(spec, now: now, today: today),
                spec: spec
            )
            do {
                if !isTrial { try await apply(&made, now: now, prompt: prompt, clients: clients) }
            } catch let problem as Problem where problem.code == "rule.exists" {
                made.deed = .same
            } catch let problem as Problem where problem.code.hasPrefix("rule.") {
                (made.deed, made.problem) = (.refused, problem)
            }
            done.append(made)
        }
        return done
    }

    /// Returns true for a stop from a guardian's phone and for a lesson. Files do not remove them.
    private static func isStop(_ rule: RuleSpec) -> Bool {
        rule.kind == .downtime
            && (rule.name == HouseholdRule.stop || rule.name?.hasPrefix(HouseholdRule.lesson + " ") == true)
    }

    private static func apply(
        _ made: inout AppliedRule,
        now: RuleView?,
        prompt: ProofPrompt,
        clients: ServiceClients
    ) async throws {
        guard [.added, .changed].contains(made.deed) else { return }
        let spec = made.spec
        var isNew = now == nil
        if let now, now.rule.kind != spec.kind {
            made.deed = try await remove(now, isTrial: false, prompt: prompt, clients: clients)
            guard made.deed == .removed else { return }
            (made.deed, isNew) = (.changed, true)
        }
        let reply = try await prompt.run { [isNew] proof in
            guard isNew else { return try await clients.callTyped(RuleEdit.self, edit(spec, proof)) }
            return try await clients.callTyped(RuleAdd.self, .init(spec, proof: proof))
        }
        if reply.rule.pending != nil { made.deed = .waits }
    }

    private static func remove(
        _ rule: RuleView,
        isTrial: Bool,
        prompt: ProofPrompt,
        clients: ServiceClients
    ) async throws -> RuleFileOutcome {
        if isTrial { return .removed }
        guard rule.pending?.change != "remove" else { return .waits }
        let gone = try await prompt.run { proof in
            try await clients.call(
                RuleRemove.self,
                .init(name: rule.rule.name ?? rule.id, proof: proof)
            ).rule
        }
        return gone.pending == nil ? .removed : .waits
    }

    /// Returns the step for a rule.
    ///
    /// A looser change that is already pending is not requested again, because that would restart the delay. A stricter change
    /// cancels it.
    private static func plannedOutcome(_ wanted: RuleSpec, now: RuleView?, today: String) -> RuleFileOutcome {
        guard let now else { return .added }
        let isSame = coming(now.rule, today) == coming(wanted, today)
        guard let pending = now.pending else { return isSame ? .same : .changed }
        if isSame { return pending.change == "add" ? .waits : .changed }
        return RuleLoosening.isLooser(from: now.rule, to: wanted) ? .waits : .changed
    }

    /// Returns the rule without its name and without past exception dates, which a service keeps a little longer.
    private static func coming(_ rule: RuleSpec, _ today: String) -> RuleSpec {
        var rule = rule.unnamed
        rule.except = rule.except?.filter { $0 >= today }
        if rule.except?.isEmpty == true { rule.except = nil }
        return rule
    }

    private static func edit(_ spec: RuleSpec, _ proof: Proof?) -> RuleEdit.Request {
        RuleEdit.Request(
            name: spec.name ?? "",
            targets: spec.targets,
            durationMs: spec.durationMs,
            weekendMs: spec.weekendMs ?? 0,
            restMs: spec.restMs,
            overlap: spec.overlap ?? .each,
            window: spec.window,
            days: spec.days ?? [],
            except: spec.except ?? [],
            opens: spec.opens ?? (spec.kind == .downtime ? [] : nil),
            then: spec.then,
            warnMs: spec.warnMs ?? 0,
            say: spec.say ?? "",
            proof: proof
        )
    }

    // MARK: - Result

    private static func show(
        _ done: [AppliedRule],
        skipped: [String],
        apps: DisplayNames,
        invocation: Invocation
    ) -> ExitCode {
        let rows = done.map { one -> JSONValue in
            .object([
                "name": .string(one.name), "member": .string(one.member), "did": .string(one.deed.rawValue),
            ])
        }
        let json: [String: JSONValue] = [
            "rules": .array(rows), "skipped": .array(skipped.map { .string($0) }),
            "dry_run": .bool(invocation.has("--dry-run")),
        ]
        let code = done.contains { $0.deed == .refused } ? ExitCode.no : .done
        _ = invocation.show(json: JSONOutput.pretty(.object(json)), wraps: true) {
            let words: [RuleFileOutcome: String] = [
                .added: Speech.say("rule.added", "added"), .changed: Speech.say("rule.changed", "changed"),
                .waits: Speech.say("rule.waits", "pending"),
                .removed: Speech.say("rule.removed-2", "removed"),
                .refused: Speech.say("rule.refused", "refused"),
            ]
            var lines = done.filter { $0.deed != .same }.map { one in
                let what = RuleSentence.summary(one.spec, apps) + RuleSentence.days(one.spec)
                let why = one.problem.map { " – " + Speech.say($0) } ?? ""
                return "\(DisplayWidth.sanitized(one.name)): \(words[one.deed] ?? ""): \(what)\(why)"
            }
            let same = done.count { $0.deed == .same }
            if same > 0 || done.isEmpty {
                lines.append(Speech.say("rule.rules-are-as-they", "Unchanged rules: \(same, "same")."))
            }
            if !skipped.isEmpty {
                let files = DisplayWidth.sanitized(skipped.joined(separator: ", "))
                lines.append(
                    Speech.say(
                        "rule.for-no-person-of",
                        "Skipped, because no person on this computer matches: \(files, "files")."
                    )
                )
            }
            if invocation.has("--dry-run") {
                lines.append(Speech.say("rule.nothing-was-changed", "Nothing was changed."))
            }
            return lines
        }
        return code
    }
}
