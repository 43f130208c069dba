import STContracts
import STPlatform

/// `add`, `edit`, `remove` and `pause` of rules.
enum RuleChanging {
    private static let added = "Added"

    static func add(_ kind: RuleKind, _ invocation: Invocation) async throws -> ExitCode {
        let typed = try RuleArguments.spec(kind, invocation)
        let (reply, remarks) = try await ServiceClients.with(invocation.directories) { clients in
            try await KnownMembers.check(typed.member, "\(kind.rawValue) add …", clients)
            var spec = typed
            let remarks = await resolve(&spec, clients)
            return (try await ask(RuleAdd.self, spec, clients), remarks)
        }
        return try tell(added, reply, remarks, invocation)
    }

    static func edit(_ kind: RuleKind, _ invocation: Invocation) async throws -> ExitCode {
        let edit = try RuleArguments.edit(kind, invocation)
        guard edit != RuleEdit.Request(name: edit.name) else {
            throw Problem(
                "usage.nothing_to_do",
                "Say what to change.",
                help: "screentime \(kind.rawValue) edit --help"
            )
        }
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            _ = try await RuleShowing.find(edit.name, kind, "edit", clients)
            return try await ask(RuleEdit.self, edit, clients)
        }
        return try tell("Changed", reply, [], invocation)
    }

    static func remove(_ kind: RuleKind?, _ invocation: Invocation) async throws -> ExitCode {
        let name = invocation.subjects[0]
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            let rule = try await RuleShowing.find(name, kind, "remove", clients)
            return try await clients.call(RuleRemove.self, .init(name: rule.rule.name ?? name))
        }
        if invocation.wantsJSON {
            invocation.terminal.write(JSONOutput.pretty(try JSONOutput.value(of: reply)))
            return .done
        }
        if let pending = reply.rule.pending {
            return wait(reply.rule, pending, invocation)
        }
        let rule = reply.rule.rule
        invocation.terminal.write(
            "Removed \(DisplayWidth.harmless(rule.name ?? "")): \(RuleSentence.what(rule))."
        )
        return .done
    }

    static func pause(_ invocation: Invocation) async throws -> ExitCode {
        let name = invocation.subjects[0]
        let forMs = try invocation.durationMs("--for")
        guard (forMs == nil) == invocation.has("--end") else {
            throw Problem(
                "usage.option_missing",
                "Say either for how long, or --end to go on with it.",
                help: "screentime rule pause \(name) --for 1h"
            )
        }
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            let rule = try await RuleShowing.find(name, nil, "pause", clients)
            return try await clients.call(
                RulePause.self,
                .init(name: rule.rule.name ?? name, forMs: forMs ?? 0)
            )
        }
        if invocation.wantsJSON {
            invocation.terminal.write(JSONOutput.pretty(try JSONOutput.value(of: reply)))
            return .done
        }
        if let pending = reply.rule.pending, pending.change == "pause" {
            return wait(reply.rule, pending, invocation)
        }
        let shown = DisplayWidth.harmless(reply.rule.rule.name ?? name)
        let text = reply.rule.pausedUntil.map {
            "\(shown) is paused until \(LocalTime.text(wire: $0)). What happens meanwhile is told then."
        }
        invocation.terminal.write(text ?? "\(shown) goes on.")
        return .done
    }

    /// Nothing has changed yet.
    private static func wait(_ view: RuleView, _ pending: PendingChange, _ invocation: Invocation) -> ExitCode
    {
        let terminal = invocation.terminal
        let name = terminal.styled(DisplayWidth.harmless(view.rule.name ?? ""), .bold)
        let lines = ["\(name) stays as it is for now: \(RuleSentence.what(view.rule))."]
        RequestAsking.write(lines + RulePendingText.lines(view, pending), terminal)
        return .done
    }

    /// Where in a request something is wrong says nothing to somebody who typed a line.
    private static func ask<R: Route>(_ route: R.Type, _ request: R.Request, _ clients: ServiceClients)
        async throws
        -> R.Reply
    {
        do {
            return try await clients.call(route, request)
        } catch var problem as Problem {
            problem.field = nil
            throw problem
        }
    }

    /// Puts the ids that the desktop reports in place of the names that people type.
    private static func resolve(_ spec: inout RuleSpec, _ clients: ServiceClients) async -> [String] {
        let items = spec.targets + (spec.opens ?? [])
        guard items.contains(where: { $0.kind == .application }), let ids = await KnownApps.ids(clients)
        else {
            return []
        }
        var remarks: [String] = []
        func resolve(_ item: TokenItem) -> TokenItem {
            let found = KnownApps.resolved(item, ids)
            if let remark = found.remark { remarks.append(remark) }
            return found.item
        }
        spec.targets = spec.targets.map(resolve)
        spec.opens = spec.opens.map { $0.map(resolve) }
        return remarks
    }

    private static func tell(
        _ verb: String,
        _ reply: RuleAdd.Reply,
        _ remarks: [String],
        _ invocation: Invocation
    ) throws -> ExitCode {
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            guard case .object(var members) = try JSONOutput.value(of: reply) else { return .no }
            members["remarks"] = .array(remarks.map { .string($0) })
            terminal.write(JSONOutput.pretty(.object(members)))
            return .done
        }
        if let pending = reply.rule.pending, pending.change == "edit" {
            return wait(reply.rule, pending, invocation)
        }
        let rule = reply.rule.rule
        let name = terminal.styled(DisplayWidth.harmless(rule.name ?? ""), .bold)
        var text = "\(verb) \(name): \(RuleSentence.what(rule))"
        if rule.kind != .allow { text += ", " + DayList.text(rule.days) }
        // Who adds one and names nobody means themself.
        let member = verb == Self.added && !invocation.has("--member") ? nil : rule.member
        var lines = [text + (member.map { ", for \(DisplayWidth.harmless($0))." } ?? ".")]
        let consequence = RuleSentence.consequence(rule, for: member)
        if !consequence.isEmpty { lines.append(consequence) }
        if let say = rule.say { lines.append("In these words: “\(DisplayWidth.harmless(say))”") }
        if let when = reply.rule.when { lines.append(when.prefix(1).uppercased() + when.dropFirst()) }
        if let until = reply.rule.pausedUntil { lines.append("Paused until \(LocalTime.text(wire: until)).") }
        if let pending = reply.rule.pending { lines += RulePendingText.lines(reply.rule, pending) }
        let notes = remarks + reply.notes.map(\.text)
        lines += notes.map { terminal.styled("Note: ", .yellow) + DisplayWidth.harmless($0) }
        if Banner.isDemo(invocation.directories) { lines.append(Banner.demo(terminal)) }
        terminal.write(lines.flatMap { TextWrap.lines($0, terminal) }.joined(separator: "\n"))
        return .done
    }
}
