import STContracts
import STDomain
import STPlatform

/// The commands `add`, `edit`, `remove` and `pause` for rules.
enum RuleEditCommand {
    private static let lookBackDays = 14
    private static let lookBackTimeout: Duration = .seconds(2)

    static func add(_ kind: RuleKind, _ invocation: Invocation) async throws -> ExitCode {
        try await add(RuleArguments.spec(kind, invocation), invocation)
    }

    static func add(_ typed: RuleSpec, _ invocation: Invocation) async throws -> ExitCode {
        let (reply, remarks, apps) = try await ServiceClients.with(invocation.directories) { clients in
            try await NameCheck.checkMember(typed.member, clients)
            var spec = typed
            var resolving = AppArgumentResolver(
                await AppFinder.load(invocation, clients),
                // A selection may come from another computer.
                takesAny: invocation.has("--anyway") || invocation.has("--selection"),
                takesAll: invocation.has("--all")
            )
            spec.targets = try resolving.items(spec.targets)
            spec.opens = try spec.opens.map { opens throws(Problem) in try resolving.items(opens) }
            let remarks = resolving.remarks
            let reply = try await ProofPrompt(invocation).run { [spec] proof in
                try await clients.callTyped(RuleAdd.self, .init(spec, proof: proof))
            }
            let past = await recentUsageText(reply.rule.rule, now: invocation.now, clients: clients)
            let apps = await RuleListCommand.names([reply.rule], invocation: invocation, clients: clients)
            return (
                reply,
                remarks
                    + [past, BrowserIntegration.blindSpotNote(reply.rule.rule, invocation)].compactMap(\.self),
                apps
            )
        }
        return try show(reply, isNew: true, remarks: remarks, apps: apps, invocation: invocation)
    }

    static func edit(_ kind: RuleKind, _ invocation: Invocation) async throws -> ExitCode {
        let edit = try RuleArguments.edit(kind, invocation)
        guard edit != RuleEdit.Request(name: edit.name) else {
            throw Problem(
                "usage.nothing_to_do",
                "Specify what to change.",
                help: "screentime \(kind.rawValue) edit --help"
            )
        }
        let (reply, apps) = try await ServiceClients.with(invocation.directories) { clients in
            _ = try await RuleListCommand.find(edit.name, kind: kind, verb: "edit", clients: clients)
            let reply = try await ProofPrompt(invocation).run { proof in
                var edit = edit
                edit.proof = proof
                return try await clients.callTyped(RuleEdit.self, edit)
            }
            return (
                reply, await RuleListCommand.names([reply.rule], invocation: invocation, clients: clients)
            )
        }
        return try show(reply, isNew: false, remarks: [], apps: apps, invocation: invocation)
    }

    static func remove(_ kind: RuleKind?, _ invocation: Invocation) async throws -> ExitCode {
        let name = invocation.subjects[0]
        let (reply, apps) = try await ServiceClients.with(invocation.directories) { clients in
            let rule = try await RuleListCommand.find(name, kind: kind, verb: "remove", clients: clients)
            let reply = try await ProofPrompt(invocation).run { proof in
                try await clients.call(RuleRemove.self, .init(name: rule.rule.name ?? name, proof: proof))
            }
            return (
                reply, await RuleListCommand.names([reply.rule], invocation: invocation, clients: clients)
            )
        }
        if invocation.wantsJSON {
            invocation.terminal.write(try JSONOutput.pretty(of: reply))
            return .done
        }
        if let pending = reply.rule.pending {
            return showPending(reply.rule, pending: pending, apps: apps, invocation: invocation)
        }
        let rule = reply.rule.rule
        let gone = "\(DisplayWidth.sanitized(rule.name ?? "")): \(RuleSentence.summary(rule, apps))."
        invocation.terminal.write(Speech.say("rule.removed", "Removed ") + gone)
        return .done
    }

    /// Sets the same exception dates for all rules of a person. Stops at the first rule that is rejected.
    static func except(_ invocation: Invocation) async throws -> ExitCode {
        let text = invocation.subjects[0]
        let today = ZonedClock.here.day(invocation.now)
        let days = try ExceptionDays.read(text, today: today, "screentime rule except")
        let member = invocation.value("--member")
        let changed = try await ServiceClients.with(invocation.directories) { clients in
            try await NameCheck.checkMember(member, clients)
            let household = try await clients.call(MemberList.self, Empty())
            let whose = member ?? household.members.ofThisAccount?.name
            let kinds: [RuleKind] = [.limit, .downtime, .window, .goal, .break]
            let rules = try await RuleListCommand.all(clients, member: whose).filter {
                kinds.contains($0.rule.kind)
            }
            let prompt = ProofPrompt(invocation)
            var changed: [RuleView] = []
            for rule in rules {
                let reply = try await prompt.run { proof in
                    let edit = RuleEdit.Request(name: rule.rule.name ?? rule.id, except: days, proof: proof)
                    return try await clients.callTyped(RuleEdit.self, edit)
                }
                changed.append(reply.rule)
            }
            return changed
        }
        guard !changed.isEmpty else {
            throw Problem(
                "rule.not_found",
                text: member.map {
                    Message(
                        "rule.not_found.has-no-rule-for-days",
                        "\($0, "member") has no rule that can have exception dates."
                    )
                }
                    ?? Message(
                        "rule.not_found.you-have-no-rule-for-days",
                        "You have no rule that can have exception dates."
                    ),
                help: "screentime rule list"
            )
        }
        let moments = invocation.moments
        return try invocation.show(
            json: try JSONOutput.pretty(["rules": .array(changed.map { try JSONOutput.value(of: $0) })]),
            wraps: true
        ) {
            let (waiting, done) = (changed.filter { $0.pending != nil }, changed.filter { $0.pending == nil })
            let names = done.map { DisplayWidth.sanitized($0.rule.name ?? $0.id) }.joined(separator: ", ")
            let dates = RuleSpec.datesMessage(ofDates: days)
            let what =
                days.isEmpty
                ? Speech.say(
                    "rule.no-day-of-exception-for",
                    "Removed the exception dates of \(names, "rules")."
                )
                : Speech.say(
                    "rule.days-of-exception-for",
                    "Exception dates: \(dates, "dates"), for \(names, "rules")."
                )
            var lines = done.isEmpty ? [] : [what]
            for rule in waiting {
                lines += rule.pending.map { RulePendingText.lines(rule, pending: $0, moments: moments) } ?? []
            }
            return lines
        }
    }

    static func pause(_ invocation: Invocation) async throws -> ExitCode {
        let name = invocation.subjects[0]
        let length = try invocation.duration("--for")
        guard (length == nil) == invocation.has("--end") else {
            throw Problem(
                "usage.option_missing",
                "Set the length of the pause with --for, or end the pause with --end.",
                key: "usage.option_missing.say-for-how",
                help: "screentime rule pause \(name) --for 1h"
            )
        }
        let (reply, apps) = try await ServiceClients.with(invocation.directories) { clients in
            let rule = try await RuleListCommand.find(name, kind: nil, verb: "pause", clients: clients)
            let reply = try await ProofPrompt(invocation).run { proof in
                let request = RulePause.Request(
                    name: rule.rule.name ?? name,
                    forMs: length?.ms ?? 0,
                    proof: proof
                )
                return try await clients.call(RulePause.self, request)
            }
            return (
                reply, await RuleListCommand.names([reply.rule], invocation: invocation, clients: clients)
            )
        }
        if invocation.wantsJSON {
            invocation.terminal.write(try JSONOutput.pretty(of: reply))
            return .done
        }
        if let pending = reply.rule.pending, pending.change == "pause" {
            return showPending(reply.rule, pending: pending, apps: apps, invocation: invocation)
        }
        let shown = DisplayWidth.sanitized(reply.rule.rule.name ?? name)
        let text = reply.rule.pausedUntil.map {
            let until = invocation.moments.text(wire: $0)
            return Speech.say(
                "rule.is-paused-until-it",
                "\(shown, "shown") is paused until \(until, "until"). Then it is in force again."
            )
        }
        invocation.terminal.write(
            text ?? Speech.say("rule.the-rule-holds-again", "The rule \(shown, "shown") is in force again.")
        )
        return .done
    }

    /// Returns on how many of the last days a new limit would have been reached, to show how strict it is.
    private static func recentUsageText(_ rule: RuleSpec, now: WallTime, clients: ServiceClients) async
        -> String?
    {
        guard rule.kind == .limit else { return nil }
        let clock = ZonedClock.here
        let today = clock.day(now)
        let period = ReportPeriod(
            today.adding(days: -lookBackDays),
            last: today.adding(days: -1),
            clock: clock
        )
        func ids(_ kind: TokenKind) -> [String]? {
            let ids = rule.targets.filter { $0.kind == kind }.map(\.id)
            return ids.isEmpty ? nil : ids
        }
        let request = ReportUsage.Request(
            fromWallMs: period.from.ms,
            toWallMs: period.to.ms,
            segment: .day,
            by: [],
            members: rule.member.map { [$0] },
            apps: ids(.application),
            categories: ids(.category),
            sites: ids(.domain),
            zone: clock.zone
        )
        guard
            let days = try? await clients.call(ReportUsage.self, request, timeout: lookBackTimeout).segments,
            days.contains(where: { $0.usedMs > 0 })
        else { return nil }
        let count = days.count { day in
            let limitMs = CivilDate(text: day.day).flatMap(rule.amountMs)
            return limitMs.map { day.usedMs >= $0 } ?? false
        }
        return count == 0
            ? Speech.say(
                "rule.it-would-not-have",
                "This limit would not have been reached in the last \(lookBackDays, "days") days."
            )
            : Speech.say(
                "rule.in-the-last-days",
                "This limit would have been reached on \(count, "count") of the last \(lookBackDays, "days") days."
            )
    }

    /// Reports that the change is delayed, because it loosens the rule.
    private static func showPending(
        _ view: RuleView,
        pending: PendingChange,
        apps: DisplayNames,
        invocation: Invocation
    ) -> ExitCode {
        let terminal = invocation.terminal
        let name = terminal.styled(DisplayWidth.sanitized(view.rule.name ?? ""), .bold)
        let what = RuleSentence.summary(view.rule, apps)
        let lines = [
            Speech.say("rule.stays-as-it-is", "\(name, "name") stays as it is for now: \(what, "what").")
        ]
        terminal.write(
            wrapping: lines + RulePendingText.lines(view, pending: pending, moments: invocation.moments)
        )
        return .done
    }

    private static func show(
        _ reply: RuleAdd.Reply,
        isNew: Bool,
        remarks: [String],
        apps: DisplayNames,
        invocation: Invocation
    ) throws -> ExitCode {
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            guard case .object(var members) = try JSONOutput.value(of: reply) else { return .no }
            members["remarks"] = .array(remarks.map { .string($0) })
            terminal.write(JSONOutput.pretty(.object(members)))
            return .done
        }
        if let pending = reply.rule.pending, pending.change == "edit" {
            return showPending(reply.rule, pending: pending, apps: apps, invocation: invocation)
        }
        let rule = reply.rule.rule
        let name = terminal.styled(DisplayWidth.sanitized(rule.name ?? ""), .bold)
        let done =
            isNew
            ? Speech.say("rule.added-rule", "Added \(name, "name")")
            : Speech.say("rule.changed-rule", "Changed \(name, "name")")
        var text = "\(done): \(RuleSentence.summary(rule, apps))"
        if ![.allow, .session].contains(rule.kind) { text += RuleSentence.days(rule) }
        // A person who adds a rule without --member adds it for themself.
        let isNamed = invocation.has("--member") || rule.kind == .session && rule.targets.isEmpty
        let member = isNew && !isNamed ? nil : rule.member
        let person = member.map { DisplayWidth.sanitized($0) }
        var lines = [text + (person.map { Speech.say("rule.for", ", for \($0, "member").") } ?? ".")]
        let consequence = RuleSentence.consequence(rule, for: member, apps)
        if !consequence.isEmpty { lines.append(consequence) }
        if let say = rule.say.map({ DisplayWidth.sanitized($0) }) {
            lines.append(Speech.say("rule.in-these-words", "Text of the notification: “\(say, "words")”"))
        }
        let moments = invocation.moments
        if let when = RuleScreen.when(reply.rule, moments) { lines.append(DisplayNames.capitalised(when)) }
        if let until = reply.rule.pausedUntil.map({ moments.text(wire: $0) }) {
            lines.append(Speech.say("rule.paused-until", "Paused until \(until, "until")."))
        }
        if let pending = reply.rule.pending {
            lines += RulePendingText.lines(reply.rule, pending: pending, moments: moments)
        }
        let notes = remarks + reply.notes.map { Speech.say($0.text) }
        lines += notes.map {
            terminal.styled(Speech.say("rule.note", "Note: "), .yellow) + DisplayWidth.sanitized($0)
        }
        if Banner.isDemo(invocation.directories) { lines.append(Banner.demo(terminal)) }
        terminal.write(wrapping: lines)
        return .done
    }
}
