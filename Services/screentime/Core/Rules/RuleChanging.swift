import STContracts
import STPlatform

/// `add`, `edit`, `remove` and `pause` of rules.
enum RuleChanging {
    private static let added = "Added"

    static func add(_ kind: RuleKind, _ invocation: Invocation) async throws -> ExitCode {
        let typed = try RuleArguments.spec(kind, invocation)
        let (reply, remarks, apps) = try await ServiceClients.with(invocation.directories) { clients in
            try await KnownNames.checkMember(typed.member, "\(kind.rawValue) add …", clients)
            var spec = typed
            let remarks = await resolve(&spec, clients)
            let typed = spec
            let reply = try await ProofPrompt(invocation).run { proof in
                var spec = typed
                spec.proof = proof
                return try await clients.callTyped(RuleAdd.self, spec)
            }
            return (reply, remarks, await RuleShowing.names([reply.rule], invocation, clients))
        }
        return try tell(added, reply, remarks, apps, invocation)
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
        let (reply, apps) = try await ServiceClients.with(invocation.directories) { clients in
            _ = try await RuleShowing.find(edit.name, kind, "edit", clients)
            let reply = try await ProofPrompt(invocation).run { proof in
                var edit = edit
                edit.proof = proof
                return try await clients.callTyped(RuleEdit.self, edit)
            }
            return (reply, await RuleShowing.names([reply.rule], invocation, clients))
        }
        return try tell("Changed", reply, [], apps, invocation)
    }

    static func remove(_ kind: RuleKind?, _ invocation: Invocation) async throws -> ExitCode {
        let name = invocation.subjects[0]
        let (reply, apps) = try await ServiceClients.with(invocation.directories) { clients in
            let rule = try await RuleShowing.find(name, kind, "remove", clients)
            let reply = try await ProofPrompt(invocation).run { proof in
                try await clients.call(RuleRemove.self, .init(name: rule.rule.name ?? name, proof: proof))
            }
            return (reply, await RuleShowing.names([reply.rule], invocation, clients))
        }
        if invocation.wantsJSON {
            invocation.terminal.write(try JSONOutput.pretty(of: reply))
            return .done
        }
        if let pending = reply.rule.pending { return wait(reply.rule, pending, apps, invocation) }
        let rule = reply.rule.rule
        invocation.terminal.write(
            "Removed \(DisplayWidth.harmless(rule.name ?? "")): \(RuleSentence.what(rule, apps))."
        )
        return .done
    }

    static func pause(_ invocation: Invocation) async throws -> ExitCode {
        let name = invocation.subjects[0]
        let forMs = try invocation.durationMs("--for")
        guard (forMs == nil) == invocation.has("--end") else {
            throw Problem(
                "usage.option_missing",
                "Say for how long with --for, or end the pause with --end.",
                help: "screentime rule pause \(name) --for 1h"
            )
        }
        let (reply, apps) = try await ServiceClients.with(invocation.directories) { clients in
            let rule = try await RuleShowing.find(name, nil, "pause", clients)
            let reply = try await ProofPrompt(invocation).run { proof in
                let request = RulePause.Request(name: rule.rule.name ?? name, forMs: forMs ?? 0, proof: proof)
                return try await clients.call(RulePause.self, request)
            }
            return (reply, await RuleShowing.names([reply.rule], invocation, clients))
        }
        if invocation.wantsJSON {
            invocation.terminal.write(try JSONOutput.pretty(of: reply))
            return .done
        }
        if let pending = reply.rule.pending, pending.change == "pause" {
            return wait(reply.rule, pending, apps, invocation)
        }
        let shown = DisplayWidth.harmless(reply.rule.rule.name ?? name)
        let text = reply.rule.pausedUntil.map {
            "\(shown) is paused until \(TimeText.text(wire: $0)); it holds again after that."
        }
        invocation.terminal.write(text ?? "The rule \(shown) holds again.")
        return .done
    }

    /// Says that the change waits: it loosens the rule.
    private static func wait(
        _ view: RuleView,
        _ pending: PendingChange,
        _ apps: DisplayNames,
        _ invocation: Invocation
    ) -> ExitCode {
        let terminal = invocation.terminal
        let name = terminal.styled(DisplayWidth.harmless(view.rule.name ?? ""), .bold)
        let lines = ["\(name) stays as it is for now: \(RuleSentence.what(view.rule, apps))."]
        terminal.write(wrapping: lines + RulePendingText.lines(view, pending))
        return .done
    }

    /// Puts the ids that the desktop reports in place of the names that people type.
    private static func resolve(_ spec: inout RuleSpec, _ clients: ServiceClients) async -> [String] {
        let items = spec.targets + (spec.opens ?? [])
        guard items.contains(where: { $0.kind == .application }), let finder = await AppFinder.load(clients)
        else { return [] }
        var remarks: [String] = []
        func resolve(_ item: TokenItem) -> TokenItem {
            let found = finder.find(item)
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
        _ apps: DisplayNames,
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
            return wait(reply.rule, pending, apps, invocation)
        }
        let rule = reply.rule.rule
        let name = terminal.styled(DisplayWidth.harmless(rule.name ?? ""), .bold)
        var text = "\(verb) \(name): \(RuleSentence.what(rule, apps))"
        if rule.kind != .allow { text += ", " + DayList.text(rule.days) }
        // A person who adds a rule without --member means themself.
        let member = verb == Self.added && !invocation.has("--member") ? nil : rule.member
        var lines = [text + (member.map { ", for \(DisplayWidth.harmless($0))." } ?? ".")]
        let consequence = RuleSentence.consequence(rule, for: member, apps)
        if !consequence.isEmpty { lines.append(consequence) }
        if let say = rule.say { lines.append("In these words: “\(DisplayWidth.harmless(say))”") }
        if let when = reply.rule.when { lines.append(DisplayNames.capitalised(when)) }
        if let until = reply.rule.pausedUntil { lines.append("Paused until \(TimeText.text(wire: until)).") }
        if let pending = reply.rule.pending { lines += RulePendingText.lines(reply.rule, pending) }
        let notes = remarks + reply.notes.map(\.text)
        lines += notes.map { terminal.styled("Note: ", .yellow) + DisplayWidth.harmless($0) }
        if Banner.isDemo(invocation.directories) { lines.append(Banner.demo(terminal)) }
        terminal.write(wrapping: lines)
        return .done
    }
}
