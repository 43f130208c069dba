package import STContracts
package import STDomain
import STPlatform

/// The commands `list` and `show` for all kinds of rules.
package enum RuleListCommand {

    static func list(_ kind: RuleKind?, _ invocation: Invocation) async throws -> ExitCode {
        let member = invocation.value("--member")
        let noun = kind?.rawValue ?? "rule"
        let found = try await ServiceClients.with(invocation.directories) { clients in
            try await NameCheck.checkMember(member, clients)
            let rules = try await all(clients, kind: kind, member: member)
            async let facts = RuleFacts.load(invocation, clients, member: member)
            return (
                rules: rules, facts: await facts,
                apps: await names(rules, invocation: invocation, clients: clients)
            )
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            let rules = try found.rules.map { try json($0, facts: found.facts, apps: found.apps) }
            terminal.write(JSONOutput.pretty(["rules": .array(rules)]))
            return .done
        }
        guard !found.rules.isEmpty else {
            let example = Grammar.command([kind == nil ? "limit" : noun, "add"])?.example ?? ""
            let line = ProblemText.asTyped(example)
            let label = kind?.label ?? Message("rule.kind-any", "rule")
            terminal.write(
                Speech.say(
                    "rule.there-is-no-yet",
                    "There is no \(label, "kind") yet. To add one, for example: \(line, "command")"
                )
            )
            return .done
        }
        let isDemo = Banner.isDemo(invocation.directories)
        let lines = RuleScreen.list(found.rules, facts: found.facts, apps: found.apps, terminal: terminal)
        terminal.write((isDemo ? [Banner.demo(terminal)] + lines : lines).joined(separator: "\n"))
        return .done
    }

    static func show(_ kind: RuleKind?, _ invocation: Invocation) async throws -> ExitCode {
        let found = try await ServiceClients.with(invocation.directories) { clients in
            let rule = try await find(invocation.subjects[0], kind: kind, verb: "show", clients: clients)
            async let facts = RuleFacts.load(invocation, clients, member: rule.rule.member)
            return (
                rule: rule, facts: await facts,
                apps: await names([rule], invocation: invocation, clients: clients)
            )
        }
        return try invocation.show(
            json: JSONOutput.pretty(try json(found.rule, facts: found.facts, apps: found.apps))
        ) {
            RuleScreen.details(
                found.rule,
                facts: found.facts,
                apps: found.apps,
                terminal: invocation.terminal
            )
        }
    }

    package static func all(
        _ clients: ServiceClients,
        kind: RuleKind? = nil,
        member: String? = nil,
        timeout: Duration = ServiceClients.defaultTimeout
    ) async throws -> [RuleView] {
        try await clients.all(
            RuleList.self,
            .init(kind: kind, member: member),
            rows: \.rules,
            next: (\.next, \.next),
            timeout: timeout
        )
    }

    /// Loads the names of the apps in these rules.
    static func names(_ rules: [RuleView], invocation: Invocation, clients: ServiceClients) async
        -> DisplayNames
    {
        let items = rules.flatMap { $0.rule.targets + ($0.rule.opens ?? []) }
        return await .load(of: items, invocation, clients)
    }

    /// Returns the rule of that name and kind.
    static func find(_ name: String, kind: RuleKind?, verb: String, clients: ServiceClients)
        async throws
        -> RuleView
    {
        let rules = try await all(clients)
        let wanted = name.lowercased()
        let found =
            rules.first { $0.rule.name == name } ?? rules.first { $0.rule.name?.lowercased() == wanted }
        guard let found else {
            let names = rules.filter { kind == nil || $0.rule.kind == kind }.compactMap(\.rule.name)
            let near = TextFormat.closest(to: name, in: names)
            let noun = label(kind)
            throw Problem(
                "rule.not_found",
                text: near.map {
                    Message(
                        "rule.not_found.of-a-kind-did-you-mean",
                        "There is no \(noun, "kind") “\(name, "name")”. Did you mean \($0, "near")?"
                    )
                }
                    ?? Message(
                        "rule.not_found.of-a-kind",
                        "There is no \(noun, "kind") “\(name, "name")”."
                    ),
                help: "screentime rule list",
                details: ProblemText.retyping(name, near)
            )
        }
        guard kind == nil || found.rule.kind == kind else {
            let noun = found.rule.kind.rawValue
            let called = found.rule.name ?? name
            throw Problem(
                "rule.other_kind",
                "\(called, "name") is of the kind \(found.rule.kind.label, "kind"), not \(label(kind), "wanted").",
                help: "screentime \(found.rule.kind == .session ? "rule" : noun) \(verb) \(called)"
            )
        }
        return found
    }

    private static func label(_ kind: RuleKind?) -> Message {
        kind?.label ?? Message("rule.kind-any", "rule")
    }

    static func json(_ rule: RuleView, facts: RuleFacts, apps: DisplayNames) throws -> JSONValue {
        guard case .object(var members) = try JSONOutput.value(of: rule) else { return .null }
        members["says"] = .string(RuleSentence.summary(rule.rule, apps) + RuleSentence.days(rule.rule))
        members["stands"] = .string(RuleScreen.state(rule, facts: facts, apps: apps))
        if let progress = facts.progress[rule.id] {
            members["progress"] = [
                "used_ms": .integer(progress.used.ms), "limit_ms": .integer(progress.limit.ms),
                "left_ms": .integer(progress.left.ms), "reached": .bool(progress.isReached),
            ]
        }
        return .object(members)
    }
}

/// The current state of rules: their usage, and the requests that were granted.
package struct RuleFacts: Sendable {
    /// By the ids of the rules.
    package var progress: [String: RuleProgress]
    /// The granted requests that open something.
    package var grants: [RequestView]
    package var moments: MomentFormatter

    package init(
        progress: [String: RuleProgress] = [:],
        grants: [RequestView] = [],
        moments: MomentFormatter
    ) {
        self.progress = progress
        self.grants = grants
        self.moments = moments
    }

    /// Loads the state. It is empty for a service that does not reply.
    static func load(_ invocation: Invocation, _ clients: ServiceClients, member: String? = nil) async
        -> RuleFacts
    {
        async let progress = RuleProgress.all(clients, member: member)
        let grants = try? await clients.all(
            RequestList.self,
            .init(member: member, state: .granted),
            rows: \.requests,
            next: (\.next, \.next),
            timeout: SystemView.timeout
        )
        return RuleFacts(progress: await progress, grants: grants ?? [], moments: invocation.moments)
    }

    /// Returns the items of a rule that a request opens, for example `open until 22:14 (R1)`, or `nil`.
    func opening(_ view: RuleView, _ apps: DisplayNames) -> String? {
        let own = grants.filter { $0.member == view.rule.member }
        let targets = view.rule.targets
        for grant in own {
            let opened = grant.items.isEmpty ? targets : targets.filter(grant.items.contains)
            guard grant.items.isEmpty || !opened.isEmpty, let untilMs = grant.untilWallMs else { continue }
            let (names, until) = (RuleSentence.names(opened, apps), moments.text(untilMs))
            return opened.count == targets.count
                ? Speech.say("rule.open-until", "open until \(until, "time") (\(grant.request, "request"))")
                : Speech.say(
                    "rule.is-open-until",
                    "open until \(until, "time"): \(names, "names") (\(grant.request, "request"))"
                )
        }
        return nil
    }
}

/// The usage of a rule, as activity-center counts it.
package struct RuleProgress: Sendable, Equatable {
    package var used: Duration
    package var limit: Duration
    package var left: Duration
    package var isReached: Bool

    package init(used: Duration, limit: Duration, left: Duration, isReached: Bool) {
        self.used = used
        self.limit = limit
        self.left = left
        self.isReached = isReached
    }

    /// Returns the progress of the rules that count now, by their ids. Returns nothing if activity-center does not reply.
    package static func all(_ clients: ServiceClients, member: String? = nil) async -> [String: RuleProgress]
    {
        let activities = try? await clients.all(
            ActivityExplain.self,
            .init(app: BuiltInRules.app, member: member),
            rows: \.activities,
            next: (\.next, \.next),
            timeout: SystemView.timeout
        )
        var progress: [String: RuleProgress] = [:]
        for explained in activities ?? [] {
            guard let made = of(explained) else { continue }
            progress[BuiltInRules.rule(watching: explained.activity.activity)] = made
        }
        return progress
    }

    /// Returns `nil` outside the activity's interval, and for an activity that counts nothing.
    package static func of(_ explained: ExplainedActivity) -> RuleProgress? {
        guard let event = explained.ruleCount else { return nil }
        return RuleProgress(
            used: .milliseconds(event.countedMs),
            limit: .milliseconds(event.thresholdMs),
            left: .milliseconds(event.leftMs),
            isReached: event.reached
        )
    }

    /// Returns `12m used, 18m left`, or for a goal `12m done, 18m to go`.
    package func text(_ kind: RuleKind) -> String {
        let isOver = isReached || left <= .zero
        let used = Speech.duration(used)
        let left = Speech.duration(max(.zero, left))
        switch kind {
        case .break:
            return isOver
                ? Speech.say("rule.break-now-due", "\(used, "used") since the last break, now due")
                : Speech.say(
                    "rule.break-to-go",
                    "\(used, "used") since the last break, \(left, "left") to go"
                )
        case .goal:
            return isOver
                ? Speech.say("rule.goal-reached", "\(used, "used") done, goal reached")
                : Speech.say("rule.goal-to-go", "\(used, "used") done, \(left, "left") to go")
        default:
            return self.left <= .zero
                ? Speech.say("rule.used-nothing-left", "\(used, "used") used, nothing left")
                : Speech.say("rule.used-left", "\(used, "used") used, \(left, "left") left")
        }
    }
}
