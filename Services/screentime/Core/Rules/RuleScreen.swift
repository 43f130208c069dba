package import STContracts
import STPlatform

/// Rules on a terminal: one of them, a list, and the lines of today.
package enum RuleScreen {
    package static func list(
        _ rules: [RuleView],
        _ progress: [String: RuleProgress],
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
                .init(RuleSentence.what(view.rule) + days(view.rule)),
                .init(state(view, progress[view.id]), view.problem == nil ? nil : .red),
            ])
        }
        return table.lines(
            columns: terminal.columns,
            expendable: members.count > 1 ? ["KIND"] : ["FOR", "KIND"],
            terminal
        )
    }

    /// All that is known of one rule.
    package static func one(_ view: RuleView, _ progress: RuleProgress?, _ terminal: Terminal) -> [String] {
        let rule = view.rule
        let name = DisplayWidth.harmless(rule.name ?? view.id)
        let member = rule.member.map { " for \(DisplayWidth.harmless($0))" } ?? ""
        var lines = [
            terminal.styled("\(name), a \(rule.kind.rawValue)\(member)", .bold),
            "  " + RuleSentence.what(rule) + days(rule),
        ]
        let consequence = RuleSentence.consequence(rule, for: rule.member)
        if !consequence.isEmpty { lines.append("  " + consequence) }
        if let say = rule.say { lines.append("  In these words: “\(DisplayWidth.harmless(say))”") }
        if let progress { lines.append("  Today: \(progress.text(rule.kind)).") }
        if let when = view.when { lines.append("  " + when.prefix(1).uppercased() + when.dropFirst()) }
        if let until = view.pausedUntil { lines.append("  Paused until \(LocalTime.text(wire: until)).") }
        lines += trouble(view).map { terminal.styled("  " + $0, .yellow) }
        lines.append(terminal.styled("  Added \(LocalTime.text(wire: view.addedAt)).", .dim))
        return lines
    }

    /// For the day so far: those that count first, then the ones that only have their time.
    package static func today(
        _ rules: [RuleView],
        _ progress: [String: RuleProgress],
        _ terminal: Terminal
    ) -> [String] {
        let shown = rules.filter { $0.rule.kind != .allow }
        let width = shown.map { DisplayWidth.columns($0.rule.name ?? $0.id) }.max() ?? 0
        let members = Set(shown.compactMap(\.rule.member))
        return shown.map { view in
            let name = DisplayWidth.padded(DisplayWidth.harmless(view.rule.name ?? view.id), width)
            let member = members.count > 1 ? " (\(DisplayWidth.harmless(view.rule.member ?? "")))" : ""
            let counted = progress[view.id]
            let what = RuleSentence.what(view.rule) + member
            let state = state(view, counted)
            let style: Terminal.Style? =
                view.problem != nil
                ? .red : counted.map { $0.leftMs <= 0 && view.rule.kind == .limit } == true ? .yellow : nil
            let line = "  \(name)  \(what)" + (state.isEmpty ? "" : ": \(state)")
            let cut = terminal.isTerminal ? DisplayWidth.cut(line, terminal.columns) : line
            return style.map { terminal.styled(cut, $0) } ?? cut
        }
    }

    /// Why a rule does not do what it says, if it does not.
    static func trouble(_ view: RuleView) -> [String] {
        if let problem = view.problem { return ["It is not watched: \(DisplayWidth.harmless(problem))"] }
        return view.isWatched ? [] : ["It is being taken up: activity-center has not confirmed it yet."]
    }

    private static func state(_ view: RuleView, _ progress: RuleProgress?) -> String {
        if view.problem != nil {
            return "not watched; see `screentime rule show \(view.rule.name ?? view.id)`"
        }
        if let until = view.pausedUntil { return "paused until \(LocalTime.text(wire: until))" }
        if let progress { return progress.text(view.rule.kind) }
        if !view.isWatched { return "being taken up" }
        return view.when ?? ""
    }

    private static func days(_ rule: RuleSpec) -> String {
        rule.kind == .allow ? "" : ", " + DayList.text(rule.days)
    }
}
