package import STContracts
import STPlatform

/// `list` and `show` of every kind of rule.
enum RuleShowing {
    /// Of a list of rules; there are fewer pages than that.
    private static let pagesMax = 20

    static func list(_ kind: RuleKind?, _ invocation: Invocation) async throws -> ExitCode {
        let member = invocation.value("--member")
        let noun = kind?.rawValue ?? "rule"
        let found = try await ServiceClients.with(invocation.directories) { clients in
            try await KnownMembers.check(member, "\(noun) list", clients)
            let rules = try await all(clients, kind: kind, member: member)
            return (rules: rules, progress: await RuleProgress.all(clients, member: member))
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            let rules = try found.rules.map { try json($0, found.progress[$0.id]) }
            terminal.write(JSONOutput.pretty(["rules": .array(rules)]))
            return .done
        }
        guard !found.rules.isEmpty else {
            let example = Grammar.command([kind == nil ? "limit" : noun, "add"])?.example ?? ""
            terminal.write("There is no \(noun) yet. For example: \(example)")
            return .done
        }
        let isDemo = Banner.isDemo(invocation.directories)
        let lines = RuleScreen.list(found.rules, found.progress, terminal)
        terminal.write((isDemo ? [Banner.demo(terminal)] + lines : lines).joined(separator: "\n"))
        return .done
    }

    static func show(_ kind: RuleKind?, _ invocation: Invocation) async throws -> ExitCode {
        let found = try await ServiceClients.with(invocation.directories) { clients in
            let rule = try await find(invocation.subjects[0], kind, "show", clients)
            return (rule: rule, progress: await RuleProgress.all(clients, member: rule.rule.member)[rule.id])
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(try json(found.rule, found.progress)))
        } else {
            terminal.write(RuleScreen.one(found.rule, found.progress, terminal).joined(separator: "\n"))
        }
        return .done
    }

    static func all(
        _ clients: ServiceClients,
        kind: RuleKind? = nil,
        member: String? = nil,
        timeoutMs: Int64 = BusLimits.timeoutMsDefault
    ) async throws -> [RuleView] {
        var request = RuleList.Request(kind: kind, member: member)
        var rules: [RuleView] = []
        for _ in 0..<pagesMax {
            let page = try await clients.call(RuleList.self, request, timeoutMs: timeoutMs)
            rules += page.rules
            guard let next = page.next else { break }
            request.next = next
        }
        return rules
    }

    /// The rule of that name, if it is of that kind.
    static func find(_ name: String, _ kind: RuleKind?, _ verb: String, _ clients: ServiceClients)
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
            let noun = kind?.rawValue ?? "rule"
            throw Problem(
                "rule.not_found",
                "There is no \(noun) “\(name)”" + (near.map { "; did you mean \($0)?" } ?? "."),
                help: near.map { "screentime \(noun) \(verb) \($0)" } ?? "screentime rule list"
            )
        }
        guard kind == nil || found.rule.kind == kind else {
            let noun = found.rule.kind.rawValue
            throw Problem(
                "rule.other_kind",
                "\(found.rule.name ?? name) is a \(noun) and no \(kind?.rawValue ?? "rule").",
                help: "screentime \(noun) \(verb) \(found.rule.name ?? name)"
            )
        }
        return found
    }

    static func json(_ rule: RuleView, _ progress: RuleProgress?) throws -> JSONValue {
        guard case .object(var members) = try JSONOutput.value(of: rule) else { return .null }
        if let progress {
            members["progress"] = [
                "used_ms": .integer(progress.usedMs), "limit_ms": .integer(progress.limitMs),
                "left_ms": .integer(progress.leftMs), "reached": .bool(progress.isReached),
            ]
        }
        return .object(members)
    }
}

/// How much of a rule is used up, as activity-center counts it.
package struct RuleProgress: Sendable, Equatable {
    package var usedMs: Int64
    package var limitMs: Int64
    package var leftMs: Int64
    package var isReached: Bool

    package init(usedMs: Int64, limitMs: Int64, leftMs: Int64, isReached: Bool) {
        self.usedMs = usedMs
        self.limitMs = limitMs
        self.leftMs = leftMs
        self.isReached = isReached
    }

    /// Of each rule by its id, where one counts at this moment; empty when activity-center cannot say.
    static func all(_ clients: ServiceClients, member: String? = nil) async -> [String: RuleProgress] {
        var progress: [String: RuleProgress] = [:]
        var request = ActivityExplain.Request(app: BuiltInRules.app, member: member)
        repeat {
            let page = try? await clients.call(
                ActivityExplain.self,
                request,
                timeoutMs: SystemView.deadlineMs
            )
            guard let page else { return progress }
            for explained in page.activities { progress[explained.activity.activity] = of(explained) }
            request.next = page.next
        } while request.next != nil
        return progress
    }

    /// Nil while the activity is not under way, and for one that counts nothing.
    package static func of(_ explained: ExplainedActivity) -> RuleProgress? {
        guard explained.isOngoing,
            let event = explained.events.first(where: { $0.event == BuiltInRules.usedEvent })
        else { return nil }
        return RuleProgress(
            usedMs: event.countedMs,
            limitMs: event.thresholdMs,
            leftMs: event.leftMs,
            isReached: event.reached
        )
    }

    /// `12m used, 18m left`; of a goal `12m done, 18m to go`.
    package func text(_ kind: RuleKind) -> String {
        let used = TextFormat.duration(ms: usedMs)
        let left = TextFormat.duration(ms: max(0, leftMs))
        if kind == .goal {
            return isReached || leftMs <= 0 ? "\(used) done, reached" : "\(used) done, \(left) to go"
        }
        return leftMs <= 0 ? "\(used) used, nothing left" : "\(used) used, \(left) left"
    }
}
