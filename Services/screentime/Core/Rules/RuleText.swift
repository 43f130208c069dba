package import STContracts
package import STDomain
import STPlatform

/// Describes a rule in plain words.
package enum RuleSentence {
    /// Returns the amount and the items without the days, for example `30 min of Firefox and social a day`.
    package static func summary(_ rule: RuleSpec, _ apps: DisplayNames = DisplayNames()) -> String {
        let names = names(rule.targets, apps)
        let amount = rule.durationMs.map { Speech.duration(ms: $0) } ?? ""
        let more = rule.weekendMs.map { Speech.duration(ms: $0) }
        let weekend = more.map { Speech.say("rule.at-weekends", " (\($0, "amount") at weekends)") } ?? ""
        let once =
            rule.overlap == .once
            ? Speech.say("rule.two-machines-at-once", ", counting simultaneous use on two machines only once")
            : ""
        switch rule.kind {
        case .limit:
            let all = names.isEmpty ? Speech.say("rule.everything", "everything") : names
            return Speech.say(
                "rule.of-a-day",
                "\(amount, "amount") of \(all, "all") a day\(weekend, "weekend")\(once, "once")"
            )
        case .downtime:
            guard let opens = rule.opens else {
                return Speech.say("rule.no-computer", "no computer \(window(rule), "window")")
            }
            let only = self.names(opens, apps)
            return Speech.say("rule.only", "only \(only, "only") \(window(rule), "window")")
        case .window: return Speech.say("rule.only-2", "\(names, "names") only \(window(rule), "window")")
        case .goal:
            let opens = self.names(rule.opens ?? [], apps)
            return Speech.say(
                "rule.of-a-day-before",
                """
                \(amount, "amount") of \(names, "names") a day\(weekend, "weekend")\(once, "once") before \
                \(opens, "opens")
                """
            )
        case .break:
            let rest = rule.restMs.map { Speech.duration(ms: $0) } ?? ""
            return Speech.say("rule.a-break-of-after", "a break of \(rest, "rest") after \(amount, "amount")")
        case .allow: return Speech.say("rule.is-always-allowed", "always allows \(names, "names")")
        case .session:
            return names.isEmpty
                ? Speech.say("rule.no-computer-for", "no computer for \(amount, "amount")")
                : Speech.say("rule.only-for", "only \(names, "names") for \(amount, "amount")")
        case .unknown:
            return Speech.say("rule.a-rule-that-this", "a kind of rule that this version does not support")
        }
    }

    /// Describes the consequence of a rule and its warning.
    package static func consequence(
        _ rule: RuleSpec,
        for member: String?,
        _ apps: DisplayNames = DisplayNames()
    )
        -> String
    {
        guard rule.kind != .allow else { return "" }
        if rule.then == .shield || rule.kind == .session { return shielded(rule, for: member, apps) }
        let moment =
            switch rule.kind {
            case .limit: Speech.say("rule.when-the-time-is", " when the time is used up")
            case .downtime: Speech.say("rule.when-it-begins", " when downtime begins")
            case .window: Speech.say("rule.when-it-is-used", " on use outside these hours")
            case .goal:
                Speech.say(
                    "rule.when-the-goal-is",
                    " when the goal is reached, or when something that it opens is used before then"
                )
            case .break:
                Speech.say(
                    "rule.when-it-is-time",
                    " when a break is due, but not during media playback, a call or full-screen use"
                )
            case .allow, .session, .unknown: ""
            }
        let before = rule.warnMs.map { Speech.duration(ms: $0) }
        let person = member.map { DisplayWidth.sanitized($0) }
        switch (person, before) {
        case (nil, nil):
            return Speech.say("rule.you-get-a-message", "You get a notification\(moment, "moment").")
        case (nil, let before?):
            return Speech.say(
                "rule.you-get-a-message-and-before",
                "You get a notification\(moment, "moment"), and another \(before, "time") before."
            )
        case (let person?, nil):
            return Speech.say(
                "rule.gets-a-message",
                "\(person, "member") gets a notification\(moment, "moment")."
            )
        case (let person?, let before?):
            return Speech.say(
                "rule.gets-a-message-and-before",
                """
                \(person, "member") gets a notification\(moment, "moment"), and another \
                \(before, "time") before.
                """
            )
        }
    }

    /// Describes the consequence of a rule that shields: the shielded items, the time, and the recipient of the notification.
    private static func shielded(_ rule: RuleSpec, for member: String?, _ apps: DisplayNames) -> String {
        let person = member.map { DisplayWidth.sanitized($0) }
        let message =
            person.map { Speech.say("rule.and-gets-a-message", "\($0, "member") gets a notification") }
            ?? Speech.say("rule.and-you-get-a-message", "you get a notification")
        let before = rule.warnMs.map { Speech.duration(ms: $0) }
        let warning =
            before.map { Speech.say("rule.and-another-before", ", and another \($0, "time") before") } ?? ""
        switch rule.kind {
        case .limit:
            return Speech.say(
                "rule.when-the-time-is-used",
                """
                When the time is used up, \(areShielded(rule.targets, apps), "shielded") until midnight, \
                and \(message, "message")\(warning, "warning").
                """
            )
        case .downtime where rule.opens != nil:
            return Speech.say(
                "rule.all-else-is-shielded",
                """
                During downtime, everything else is shielded except for always-allowed apps and sites, and \
                \(message, "message")\(warning, "warning").
                """
            )
        case .downtime:
            return Speech.say(
                "rule.everything-is-shielded-then",
                """
                During downtime, everything is shielded except for always-allowed apps and sites, and \
                \(message, "message")\(warning, "warning").
                """
            )
        case .window:
            return Speech.say(
                "rule.at-any-other-time",
                """
                Outside these hours, \(areShielded(rule.targets, apps), "shielded"), and \
                \(message, "message") on use\(warning, "warning").
                """
            )
        case .goal:
            return Speech.say(
                "rule.until-then-when-it",
                """
                Until the goal is reached, \(areShielded(rule.opens ?? [], apps), "shielded"). When it is \
                reached, \(message, "message")\(warning, "warning").
                """
            )
        case .break:
            return Speech.say(
                "rule.everything-is-shielded-for",
                """
                During the break, everything except always-allowed apps and sites is shielded, and \
                \(message, "message")\(warning, "warning"). The break waits until media playback, a call or \
                full-screen use ends.
                """
            )
        case .session: return shielded(session: rule)
        case .allow, .unknown: return ""
        }
    }

    private static func shielded(session rule: RuleSpec) -> String {
        let line = "screentime rule remove \(ShellText.quote(rule.name ?? ""))"
        let all =
            rule.targets.isEmpty
            ? Speech.say(
                "rule.session-shields-everything",
                "Everything is shielded except for always-allowed apps and sites. To end this sooner: "
            )
            : Speech.say(
                "rule.session-shields-all-else",
                "Everything else is shielded except for always-allowed apps and sites. To end this sooner: "
            )
        return ProblemText.asTyped(all + line)
    }

    private static func areShielded(_ items: [TokenItem], _ apps: DisplayNames) -> String {
        guard let first = items.first else {
            return Speech.say("rule.everything-is-shielded", "everything is shielded")
        }
        let names = names(items, apps)
        guard items.count == 1 else {
            return Speech.say("rule.are-shielded", "\(names, "names") are shielded")
        }
        return first.kind == .category
            ? Speech.say("rule.everything-in-is-shielded", "everything in \(names, "category") is shielded")
            : Speech.say("rule.is-shielded", "\(names, "name") is shielded")
    }

    /// Returns the names of the items, for example `Firefox, social and reddit.com`.
    package static func names(_ items: [TokenItem], _ apps: DisplayNames = DisplayNames()) -> String {
        let names = items.map(apps.name)
        guard names.count > 1, let last = names.last else { return names.first ?? "" }
        let others = names.dropLast().joined(separator: ", ")
        return Speech.say("rule.list-of-names", "\(others, "others") and \(last, "last")")
    }

    /// Returns the days of a rule, for example `, every day except 24 Dec 2026`.
    ///
    /// If the weekend has another amount, exception dates are `with the weekend time on` these dates. Returns "" for a rule without
    /// days.
    static func days(_ rule: RuleSpec) -> String {
        guard ![.allow, .session].contains(rule.kind) else { return "" }
        if let day = rule.onlyDay {
            let date = RuleSpec.datesMessage(ofDates: [day.text])
            return Speech.say("rule.only-on", ", only on \(date, "date")")
        }
        let dates = rule.except.map { RuleSpec.datesMessage(ofDates: $0) }
        let except = dates.map {
            rule.weekendMs == nil
                ? Speech.say("rule.except", " except \($0, "dates")")
                : Speech.say("rule.as-at-weekends-on", ", with the weekend time on \($0, "dates")")
        }
        return ", " + DayList.text(rule.days) + (except ?? "")
    }

    private static func window(_ rule: RuleSpec) -> String {
        guard let window = rule.window else { return "" }
        guard ClockTime(window.from) != ClockTime(window.to) else {
            return Speech.say("rule.all-day", "all day")
        }
        return Speech.say("rule.from-to", "from \(window.from, "start") to \(window.to, "end")")
    }
}

/// Rules on a terminal: one rule, a list, and the lines of today's overview.
package enum RuleScreen {
    package static func list(
        _ rules: [RuleView],
        facts: RuleFacts,
        apps: DisplayNames,
        terminal: Terminal
    ) -> [String] {
        let members = Set(rules.compactMap(\.rule.member))
        let titles = [
            Speech.say("rule.column-name", "NAME"), Speech.say("rule.column-kind", "KIND"),
            Speech.say("rule.column-member", "FOR"), Speech.say("rule.column-rule", "RULE"),
            Speech.say("rule.column-state", "STATE"),
        ]
        var table = TextTable(titles.map { ($0, .left) })
        for view in rules {
            table.add([
                .init(view.rule.name ?? view.id), .init(Speech.say(view.rule.kind.label), .dim),
                .init(view.rule.member ?? ""),
                .init(RuleSentence.summary(view.rule, apps) + RuleSentence.days(view.rule)),
                .init(state(view, facts: facts, apps: apps), view.problem == nil ? nil : .red),
            ])
        }
        return table.lines(
            columns: terminal.columns,
            expendable: members.count > 1 ? [titles[1]] : [titles[2], titles[1]],
            terminal
        )
    }

    /// Returns all details of one rule.
    package static func details(
        _ view: RuleView,
        facts: RuleFacts,
        apps: DisplayNames,
        terminal: Terminal
    ) -> [String] {
        let rule = view.rule
        let name = DisplayWidth.sanitized(rule.name ?? view.id)
        let person = rule.member.map { DisplayWidth.sanitized($0) }
        let kind = Speech.say(rule.kind.label)
        let title =
            person.map {
                Speech.say("rule.a-kind-for", "\(name, "name") (\(kind, "kind")) for \($0, "member")")
            } ?? Speech.say("rule.a-kind", "\(name, "name") (\(kind, "kind"))")
        var lines = [
            terminal.styled(title, .bold),
            "  " + RuleSentence.summary(rule, apps) + RuleSentence.days(rule),
        ]
        let consequence = RuleSentence.consequence(rule, for: rule.member, apps)
        if !consequence.isEmpty { lines.append("  " + consequence) }
        if let say = rule.say.map({ DisplayWidth.sanitized($0) }) {
            lines.append(
                "  " + Speech.say("rule.in-these-words", "Text of the notification: “\(say, "words")”")
            )
        }
        if let progress = facts.progress[view.id]?.text(rule.kind) {
            let isBreak = rule.kind == .break
            lines.append(
                isBreak
                    ? Speech.say("rule.now", "  Now: \(progress, "progress").")
                    : Speech.say("rule.today", "  Today: \(progress, "progress").")
            )
        }
        if let when = when(view, facts.moments) { lines.append("  " + DisplayNames.capitalised(when)) }
        if let until = view.pausedUntil.map({ facts.moments.text(wire: $0) }) {
            lines.append("  " + Speech.say("rule.paused-until", "Paused until \(until, "until")."))
        }
        if let pending = view.pending {
            lines += RulePendingText.lines(view, pending: pending, moments: facts.moments).map { "  " + $0 }
        }
        if view.isShielding == true {
            lines.append("  " + Speech.say("rule.its-shield-is-up", "Its shield is active now."))
        }
        if let opening = facts.opening(view, apps) {
            lines.append("  " + DisplayNames.capitalised(opening) + ".")
        }
        lines += problems(view).map { terminal.styled("  " + $0, .yellow) }
        let added = facts.moments.at(wire: view.addedAt)
        lines.append(terminal.styled("  " + Speech.say("rule.added-2", "Added \(added, "added")."), .dim))
        return lines
    }

    /// Returns the time to which the rule applies. activity-center describes it in English only.
    package static func when(_ view: RuleView, _ moments: MomentFormatter) -> String? {
        guard Speech.language != .english, let span = view.interval, let when = view.when else {
            return view.when
        }
        let (start, end) = (moments.text(span.startWallMs), moments.text(span.endWallMs))
        return when.hasPrefix("now:")
            ? Speech.say("rule.now-from-to", "now: from \(start, "start") to \(end, "end")")
            : Speech.say("rule.next-from-to", "next: from \(start, "start") to \(end, "end")")
    }

    /// Upper bound on the rules beside today's usage on one screen. `rule list` shows all.
    private static let todayMax = 12

    /// Returns the rules of the day and their progress.
    package static func today(
        _ rules: [RuleView],
        facts: RuleFacts,
        apps: DisplayNames,
        terminal: Terminal
    ) -> [String] {
        let all = rules.filter { $0.rule.kind != .allow }
        let shown = all.prefix(todayMax)
        let members = Set(shown.compactMap(\.rule.member))
        let rows = shown.map { view in
            let person = view.rule.member ?? ""
            let member = members.count > 1 ? Speech.say("rule.for-member", ", for \(person, "member")") : ""
            return [view.rule.name ?? view.id, RuleSentence.summary(view.rule, apps) + member].map(
                DisplayWidth.sanitized
            )
        }
        let widths = [0, 1].map { column in rows.map { DisplayWidth.columns($0[column]) }.max() ?? 0 }
        var lines = zip(shown, rows).map { view, row in
            let front = zip(row, widths).map { DisplayWidth.padded($0, $1) }.joined(separator: "  ")
            let line = "  \(front)  \(state(view, facts: facts, apps: apps))"
            let cut = terminal.isTerminal ? DisplayWidth.truncated(line, terminal.columns) : line
            return style(view, facts.progress[view.id]).map { terminal.styled(cut, $0) } ?? cut
        }
        if all.count > shown.count {
            lines.append(
                ProblemText.asTyped(
                    Speech.say(
                        "rule.and-more-rules-screentime",
                        """
                          More rules: \(all.count - shown.count, "count"). To list all rules: screentime \
                        rule list
                        """
                    )
                )
            )
        }
        return lines
    }

    private static func style(_ view: RuleView, _ progress: RuleProgress?) -> Terminal.Style? {
        if view.problem != nil { return .red }
        guard let progress, view.rule.kind == .limit, progress.left <= .zero else { return nil }
        return .yellow
    }

    /// Returns the reason why a rule is not applied, if there is one.
    private static func problems(_ view: RuleView) -> [String] {
        if let problem = view.problem {
            let what =
                view.isWatched
                ? Speech.say("rule.its-shield-could-not", "Its shield could not be updated")
                : Speech.say("rule.it-is-not-watched", "This rule is not in force")
            return ["\(what): \(DisplayWidth.sanitized(Speech.say(problem)))"]
        }
        guard !view.isWatched else { return [] }
        return [
            Speech.say("rule.it-is-not-in", "It is not in force yet: activity-center has not confirmed it.")
        ]
    }

    static func state(_ view: RuleView, facts: RuleFacts, apps: DisplayNames) -> String {
        if view.problem != nil {
            let line = "screentime rule show \(view.rule.name ?? view.id)"
            return ProblemText.asTyped(
                view.isWatched
                    ? Speech.say("rule.not-shielded-see", "not shielded; see `\(line, "command")`")
                    : Speech.say("rule.not-watched-see", "not in force; see `\(line, "command")`")
            )
        }
        if let pending = view.pending { return RulePendingText.short(pending, facts.moments) }
        if let until = view.pausedUntil.map({ facts.moments.text(wire: $0) }) {
            return Speech.say("rule.paused-until-2", "paused until \(until, "until")")
        }
        let shielding = view.isShielding == true ? Speech.say("rule.shielded", "shielded") : nil
        let front = (facts.opening(view, apps) ?? shielding).map { $0 + "; " } ?? ""
        if let progress = facts.progress[view.id] { return front + progress.text(view.rule.kind) }
        if !view.isWatched { return Speech.say("rule.not-in-force-yet", "not in force yet") }
        return front + (when(view, facts.moments) ?? "")
    }

}

/// A change of a rule that is delayed, because it loosens the rule.
package enum RulePendingText {
    package static func short(_ pending: PendingChange, _ moments: MomentFormatter) -> String {
        "\(moments.text(pending.takesEffectWallMs)): \(text(pending))"
    }

    package static func lines(_ view: RuleView, pending: PendingChange, moments: MomentFormatter) -> [String]
    {
        let from = moments.text(pending.takesEffectWallMs)
        let waits = Speech.say(
            "rule.from-a-change-that",
            "From \(from, "from"): \(text(pending), "text"). The change is delayed because it loosens a rule."
        )
        // Sessions have no `edit` and end by themselves.
        guard view.rule.kind != .session else { return [waits] }
        let keep = Speech.say("rule.to-keep-the-rule", "To keep the rule as it is: ") + line(view, pending)
        return [waits, ProblemText.asTyped(keep)]
    }

    private static func text(_ pending: PendingChange) -> String {
        DisplayWidth.sanitized(Speech.say(pending.text))
    }

    /// Returns the command that cancels the pending change.
    private static func line(_ view: RuleView, _ pending: PendingChange) -> String {
        let rule = view.rule
        let name = ShellText.quote(DisplayWidth.sanitized(rule.name ?? view.id))
        switch pending.change {
        case "pause": return "screentime rule pause \(name) --end"
        case "add": return "screentime allow remove \(name)"
        default: break
        }
        let subject: String
        switch rule.kind {
        case .limit, .goal, .break: subject = rule.typedAmount ?? ""
        case .downtime, .window: subject = rule.window.map { "\($0.from)-\($0.to)" } ?? ""
        case .allow:
            let names = rule.targets.map { item in
                let prefix =
                    switch item.kind {
                    case .category: "category:"
                    case .domain: "site:"
                    case .application, .unknown: ""
                    }
                return prefix + item.id
            }
            subject = names.joined(separator: " ")
        case .session, .unknown: subject = ""
        }
        return "screentime \(rule.kind.rawValue) edit \(name) \(subject)"
    }
}
