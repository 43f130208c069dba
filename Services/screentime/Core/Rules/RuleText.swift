package import STContracts
package import STDomain
import STPlatform

/// What a rule says, in plain words.
package enum RuleSentence {
    /// `30m of firefox and social a day`, without the days.
    package static func what(_ rule: RuleSpec, _ apps: DisplayNames = DisplayNames()) -> String {
        let names = names(rule.targets, apps)
        let amount = rule.durationMs.map { TextFormat.duration(ms: $0) } ?? ""
        let weekend = rule.weekendMs.map { " (\(TextFormat.duration(ms: $0)) at weekends)" } ?? ""
        switch rule.kind {
        case .limit: return "\(amount) of \(names.isEmpty ? SubjectReader.everything : names) a day\(weekend)"
        case .downtime: return "no computer \(window(rule))"
        case .window: return "\(names) only \(window(rule))"
        case .goal:
            return "\(amount) of \(names) a day\(weekend) before \(self.names(rule.opens ?? [], apps))"
        case .allow: return "\(names) is always allowed"
        case .session: return "\(names.isEmpty ? "no computer" : "only \(names)") for \(amount)"
        case .unknown: return "a rule that this version does not know"
        }
    }

    /// What happens, and when it warns.
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
            case .limit: " when the time is used up"
            case .downtime: " when it begins"
            case .window: " when it is used at another time"
            case .goal: " when the goal is reached, or what it opens is used before"
            case .allow, .session, .unknown: ""
            }
        let warning = rule.warnMs.map { ", and \(TextFormat.duration(ms: $0)) before" } ?? ""
        return
            "\(member.map { "\(DisplayWidth.harmless($0)) gets" } ?? "You get") a message\(moment)\(warning)."
    }

    /// For a rule that shields: what is shielded, when, and who hears of it.
    private static func shielded(_ rule: RuleSpec, for member: String?, _ apps: DisplayNames) -> String {
        let message = member.map { "\(DisplayWidth.harmless($0)) gets a message" } ?? "you get a message"
        let warning = rule.warnMs.map { ", and another \(TextFormat.duration(ms: $0)) before" } ?? ""
        switch rule.kind {
        case .limit:
            return "When the time is used up, \(areShielded(rule.targets, apps)) until midnight, and "
                + "\(message)\(warning)."
        case .downtime:
            return "Everything is shielded then, except what is always allowed, and \(message)\(warning)."
        case .window:
            return
                "At any other time \(areShielded(rule.targets, apps)), and \(message) when it is used\(warning)."
        case .goal:
            return "Until then \(areShielded(rule.opens ?? [], apps)); \(message) when it opens\(warning)."
        case .session:
            let name = ShellText.quoted(rule.name ?? "")
            return ProblemText.asTyped(
                "\(rule.targets.isEmpty ? "Everything" : "All else") is shielded, except what is always allowed. "
                    + "To end it sooner: screentime rule remove \(name)"
            )
        case .allow, .unknown: return ""
        }
    }

    private static func areShielded(_ items: [TokenItem], _ apps: DisplayNames) -> String {
        guard let first = items.first else { return "everything is shielded" }
        guard items.count == 1 else { return "\(names(items, apps)) are shielded" }
        return (first.kind == .category ? "everything in " : "") + "\(names(items, apps)) is shielded"
    }

    /// `Firefox, social and reddit.com`.
    package static func names(_ items: [TokenItem], _ apps: DisplayNames = DisplayNames()) -> String {
        let names = items.map(apps.name)
        guard names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
    }

    /// `, every day except 24 Dec 2026`, or `as at weekends on` it where those have another amount; nothing for a rule that has no days.
    static func days(_ rule: RuleSpec) -> String {
        guard ![.allow, .session].contains(rule.kind) else { return "" }
        let other = rule.weekendMs == nil ? " except " : ", as at weekends on "
        return ", " + DayList.text(rule.days)
            + (rule.except.map { other + RuleSpec.words(ofDates: $0) } ?? "")
    }

    private static func window(_ rule: RuleSpec) -> String {
        rule.window.map { "from \($0.from) to \($0.to)" } ?? ""
    }
}

/// Rules on a terminal: one of them, a list, and the lines of today.
package enum RuleScreen {
    package static func list(
        _ rules: [RuleView],
        _ facts: RuleFacts,
        _ apps: DisplayNames,
        _ terminal: Terminal
    ) -> [String] {
        let members = Set(rules.compactMap(\.rule.member))
        var table = TextTable([
            ("NAME", .left), ("KIND", .left), ("FOR", .left), ("RULE", .left), ("STATE", .left),
        ])
        for view in rules {
            table.add([
                .init(view.rule.name ?? view.id), .init(view.rule.kind.rawValue, .dim),
                .init(view.rule.member ?? ""),
                .init(RuleSentence.what(view.rule, apps) + RuleSentence.days(view.rule)),
                .init(state(view, facts, apps), view.problem == nil ? nil : .red),
            ])
        }
        return table.lines(
            columns: terminal.columns,
            expendable: members.count > 1 ? ["KIND"] : ["FOR", "KIND"],
            terminal
        )
    }

    /// All that is known of one rule.
    package static func one(
        _ view: RuleView,
        _ facts: RuleFacts,
        _ apps: DisplayNames,
        _ terminal: Terminal
    ) -> [String] {
        let rule = view.rule
        let name = DisplayWidth.harmless(rule.name ?? view.id)
        let member = rule.member.map { " for \(DisplayWidth.harmless($0))" } ?? ""
        var lines = [
            terminal.styled("\(name), a \(rule.kind.rawValue)\(member)", .bold),
            "  " + RuleSentence.what(rule, apps) + RuleSentence.days(rule),
        ]
        let consequence = RuleSentence.consequence(rule, for: rule.member, apps)
        if !consequence.isEmpty { lines.append("  " + consequence) }
        if let say = rule.say { lines.append("  In these words: “\(DisplayWidth.harmless(say))”") }
        if let progress = facts.progress[view.id] { lines.append("  Today: \(progress.text(rule.kind)).") }
        if let when = view.when { lines.append("  " + DisplayNames.capitalised(when)) }
        if let until = view.pausedUntil { lines.append("  Paused until \(facts.moments.text(wire: until)).") }
        if let pending = view.pending {
            lines += RulePendingText.lines(view, pending, facts.moments).map { "  " + $0 }
        }
        if view.isShielding == true { lines.append("  Its shield is up at this moment.") }
        if let opening = facts.opening(view, apps) {
            lines.append("  " + DisplayNames.capitalised(opening) + ".")
        }
        lines += trouble(view).map { terminal.styled("  " + $0, .yellow) }
        lines.append(terminal.styled("  Added \(facts.moments.at(wire: view.addedAt)).", .dim))
        return lines
    }

    /// Beside the use of the day, on one screen; `rule list` has all.
    private static let todayMax = 12

    /// For the day so far: each rule and how far it is.
    package static func today(
        _ rules: [RuleView],
        _ facts: RuleFacts,
        _ apps: DisplayNames,
        _ terminal: Terminal
    ) -> [String] {
        let all = rules.filter { $0.rule.kind != .allow }
        let shown = all.prefix(todayMax)
        let members = Set(shown.compactMap(\.rule.member))
        let rows = shown.map { view in
            let member = members.count > 1 ? ", for \(view.rule.member ?? "")" : ""
            return [view.rule.name ?? view.id, RuleSentence.what(view.rule, apps) + member].map(
                DisplayWidth.harmless
            )
        }
        let widths = [0, 1].map { column in rows.map { DisplayWidth.columns($0[column]) }.max() ?? 0 }
        var lines = zip(shown, rows).map { view, row in
            let front = zip(row, widths).map { DisplayWidth.padded($0, $1) }.joined(separator: "  ")
            let line = "  \(front)  \(state(view, facts, apps))"
            let cut = terminal.isTerminal ? DisplayWidth.cut(line, terminal.columns) : line
            return style(view, facts.progress[view.id]).map { terminal.styled(cut, $0) } ?? cut
        }
        if all.count > shown.count {
            lines.append(
                ProblemText.asTyped("  and \(all.count - shown.count) more rules: screentime rule list")
            )
        }
        return lines
    }

    private static func style(_ view: RuleView, _ progress: RuleProgress?) -> Terminal.Style? {
        if view.problem != nil { return .red }
        guard let progress, view.rule.kind == .limit, progress.leftMs <= 0 else { return nil }
        return .yellow
    }

    /// Why a rule does not do what it says, if it does not.
    private static func trouble(_ view: RuleView) -> [String] {
        if let problem = view.problem {
            let what = view.isWatched ? "Its shield could not be put right" : "It is not watched"
            return ["\(what): \(DisplayWidth.harmless(problem))"]
        }
        return view.isWatched ? [] : ["It is not in force yet: activity-center has not confirmed it."]
    }

    private static func state(_ view: RuleView, _ facts: RuleFacts, _ apps: DisplayNames) -> String {
        if view.problem != nil {
            let what = view.isWatched ? "not shielded" : "not watched"
            return ProblemText.asTyped("\(what); see `screentime rule show \(view.rule.name ?? view.id)`")
        }
        if let pending = view.pending { return RulePendingText.short(pending, facts.moments) }
        if let until = view.pausedUntil { return "paused until \(facts.moments.text(wire: until))" }
        let shielding = view.isShielding == true ? "shielded" : nil
        let front = (facts.opening(view, apps) ?? shielding).map { $0 + "; " } ?? ""
        if let progress = facts.progress[view.id] { return front + progress.text(view.rule.kind) }
        if !view.isWatched { return "not in force yet" }
        return front + (view.when ?? "")
    }

}

/// A change of a rule that waits, because it makes the rule looser.
package enum RulePendingText {
    package static func short(_ pending: PendingChange, _ moments: MomentWords) -> String {
        "\(moments.text(pending.takesEffectWallMs)): \(DisplayWidth.harmless(pending.text))"
    }

    package static func lines(_ view: RuleView, _ pending: PendingChange, _ moments: MomentWords) -> [String]
    {
        [
            "From \(moments.text(pending.takesEffectWallMs)) \(DisplayWidth.harmless(pending.text)). "
                + "A change that loosens a rule waits until then.",
            ProblemText.asTyped("To keep the rule as it is: \(line(view, pending))"),
        ]
    }

    /// The command that keeps the rule as it stands.
    private static func line(_ view: RuleView, _ pending: PendingChange) -> String {
        let rule = view.rule
        let name = ShellText.quoted(DisplayWidth.harmless(rule.name ?? view.id))
        switch pending.change {
        case "pause": return "screentime rule pause \(name) --end"
        case "add": return "screentime allow remove \(name)"
        default: break
        }
        let subject: String
        switch rule.kind {
        case .limit, .goal: subject = rule.typedAmount ?? ""
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
