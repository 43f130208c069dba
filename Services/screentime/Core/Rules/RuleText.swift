package import STContracts
package import STDomain
import STPlatform

/// What a rule says, in plain words.
package enum RuleSentence {
    /// `30 min of Firefox and social a day`, without the days.
    package static func what(_ rule: RuleSpec, _ apps: DisplayNames = DisplayNames()) -> String {
        let names = names(rule.targets, apps)
        let amount = rule.durationMs.map { Speech.duration(ms: $0) } ?? ""
        let more = rule.weekendMs.map { Speech.duration(ms: $0) }
        let weekend = more.map { Speech.say(" (\($0) at weekends)", " (주말 \($0))") } ?? ""
        let once =
            rule.overlap == .once
            ? Speech.say(
                ", two machines at once count once",
                ", 여러 컴퓨터를 함께 쓴 시간은 한 번만 셈"
            ) : ""
        switch rule.kind {
        case .limit:
            let all = names.isEmpty ? Speech.say(SubjectReader.everything, "모든 사용") : names
            return Speech.say(
                "\(amount) of \(all) a day\(weekend)\(once)",
                "\(all) 하루 \(amount)\(weekend)\(once)"
            )
        case .downtime:
            guard let opens = rule.opens else {
                return Speech.say("no computer \(window(rule))", "\(window(rule)) 컴퓨터 쉬기")
            }
            let only = self.names(opens, apps)
            return Speech.say("only \(only) \(window(rule))", "\(window(rule)) \(only)만")
        case .window: return Speech.say("\(names) only \(window(rule))", "\(names): \(window(rule))에만")
        case .goal:
            let opens = self.names(rule.opens ?? [], apps)
            return Speech.say(
                "\(amount) of \(names) a day\(weekend)\(once) before \(opens)",
                "\(names) 하루 \(amount)\(weekend)\(once), 그다음에 \(opens)"
            )
        case .break:
            let rest = rule.restMs.map { Speech.duration(ms: $0) } ?? ""
            return Speech.say("a break of \(rest) after \(amount)", "\(amount)마다 \(rest) 쉬기")
        case .allow: return Speech.say("\(names) is always allowed", "\(names): 항상 허용")
        case .session:
            return names.isEmpty
                ? Speech.say("no computer for \(amount)", "\(amount) 동안 컴퓨터 쉬기")
                : Speech.say("only \(names) for \(amount)", "\(amount) 동안 \(names)만")
        case .unknown:
            return Speech.say("a rule that this version does not know", "이 버전이 모르는 규칙")
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
            case .limit: Speech.say(" when the time is used up", "시간을 다 쓰면 ")
            case .downtime: Speech.say(" when it begins", "시작할 때 ")
            case .window: Speech.say(" when it is used at another time", "다른 시간에 쓰면 ")
            case .goal:
                Speech.say(
                    " when the goal is reached, or what it opens is used before",
                    "목표에 이르거나 그 전에 열릴 것을 쓰면 "
                )
            case .break:
                Speech.say(
                    " when it is time, and not in a film, a call or a full screen",
                    "영화나 통화, 전체 화면이 아니면 쉴 때가 되었을 때 "
                )
            case .allow, .session, .unknown: ""
            }
        let before = rule.warnMs.map { Speech.duration(ms: $0) }
        let person = member.map { DisplayWidth.harmless($0) }
        return Speech.say(
            "\(person.map { $0 + " gets" } ?? "You get") a message\(moment)\(before.map { ", and \($0) before" } ?? "").",
            "\(moment)\(person.map { $0 + " 님에게 " } ?? "")알립니다\(before.map { " (\($0) 전에도)" } ?? "")."
        )
    }

    /// For a rule that shields: what is shielded, when, and who hears of it.
    private static func shielded(_ rule: RuleSpec, for member: String?, _ apps: DisplayNames) -> String {
        let person = member.map { DisplayWidth.harmless($0) }
        let message = Speech.say(
            person.map { "\($0) gets a message" } ?? "you get a message",
            person.map { "\($0) 님에게 알립니다" } ?? "알려 드립니다"
        )
        let before = rule.warnMs.map { Speech.duration(ms: $0) }
        let warning = before.map { Speech.say(", and another \($0) before", " (\($0) 전에도)") } ?? ""
        switch rule.kind {
        case .limit:
            return Speech.say(
                "When the time is used up, \(areShielded(rule.targets, apps)) until midnight, and \(message)\(warning).",
                "시간을 다 쓰면 자정까지 \(areShielded(rule.targets, apps)), \(message)\(warning)."
            )
        case .downtime where rule.opens != nil:
            return Speech.say(
                "All else is shielded then, except what is always allowed, and \(message)\(warning).",
                "그동안 항상 허용된 것과 이것을 빼고 모두 제한하고, \(message)\(warning)."
            )
        case .downtime:
            return Speech.say(
                "Everything is shielded then, except what is always allowed, and \(message)\(warning).",
                "그동안 항상 허용된 것을 빼고 모두 제한하고, \(message)\(warning)."
            )
        case .window:
            return Speech.say(
                "At any other time \(areShielded(rule.targets, apps)), and \(message) when it is used\(warning).",
                "다른 시간에는 \(areShielded(rule.targets, apps)), 쓰려고 하면 \(message)\(warning)."
            )
        case .goal:
            return Speech.say(
                "Until then \(areShielded(rule.opens ?? [], apps)); \(message) when it opens\(warning).",
                "그때까지 \(areShielded(rule.opens ?? [], apps)), 열리면 \(message)\(warning)."
            )
        case .break:
            return Speech.say(
                "Everything is shielded for the break, except what is always allowed, and \(message)\(warning). "
                    + "It waits for the end of a film, a call or a full screen.",
                "쉬는 동안 항상 허용된 것을 빼고 모두 제한하고, \(message)\(warning). 영화나 통화, 전체 화면이 끝날 때까지 기다립니다."
            )
        case .session:
            let line = "screentime rule remove \(ShellText.quoted(rule.name ?? ""))"
            let all = Speech.say(
                "\(rule.targets.isEmpty ? "Everything" : "All else") is shielded, except what is always allowed. "
                    + "To end it sooner: ",
                "항상 허용된 것을 빼고 \(rule.targets.isEmpty ? "모두" : "나머지를 모두") 제한합니다. 더 일찍 끝내려면: "
            )
            return ProblemText.asTyped(all + line)
        case .allow, .unknown: return ""
        }
    }

    private static func areShielded(_ items: [TokenItem], _ apps: DisplayNames) -> String {
        guard let first = items.first else { return Speech.say("everything is shielded", "모두 제한하고") }
        let names = names(items, apps)
        guard items.count == 1 else { return Speech.say("\(names) are shielded", "\(names) 사용을 제한하고") }
        let isCategory = first.kind == .category
        return Speech.say(
            (isCategory ? "everything in " : "") + "\(names) is shielded",
            "\(names)\(isCategory ? "에 속한 것" : "") 사용을 제한하고"
        )
    }

    /// `Firefox, social and reddit.com`.
    package static func names(_ items: [TokenItem], _ apps: DisplayNames = DisplayNames()) -> String {
        let names = items.map(apps.name)
        guard names.count > 1 else { return names.first ?? "" }
        return Speech.say(
            names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1],
            names.joined(separator: ", ")
        )
    }

    /// `, every day except 24 Dec 2026`, or `as at weekends on` it where those have another amount; nothing for a rule that has no days.
    static func days(_ rule: RuleSpec) -> String {
        guard ![.allow, .session].contains(rule.kind) else { return "" }
        if let day = rule.onlyDay {
            let date = RuleSpec.words(ofDates: [day.text], in: Speech.language)
            return Speech.say(", only on \(date)", ", \(date)에만")
        }
        let isOther = rule.weekendMs != nil
        let dates = rule.except.map { RuleSpec.words(ofDates: $0, in: Speech.language) }
        let except = dates.map {
            Speech.say(
                (isOther ? ", as at weekends on " : " except ") + $0,
                isOther ? ", \($0)은 주말처럼" : ", \($0) 제외"
            )
        }
        return ", " + DayList.text(rule.days) + (except ?? "")
    }

    private static func window(_ rule: RuleSpec) -> String {
        guard let window = rule.window else { return "" }
        guard ClockTime(window.from) != ClockTime(window.to) else { return Speech.say("all day", "온종일") }
        return Speech.say("from \(window.from) to \(window.to)", "\(window.from)–\(window.to)")
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
        let titles = [("NAME", "이름"), ("KIND", "종류"), ("FOR", "사람"), ("RULE", "규칙"), ("STATE", "상태")]
            .map { Speech.say($0.0, $0.1) }
        var table = TextTable(titles.map { ($0, .left) })
        for view in rules {
            table.add([
                .init(view.rule.name ?? view.id), .init(kind(view.rule.kind), .dim),
                .init(view.rule.member ?? ""),
                .init(RuleSentence.what(view.rule, apps) + RuleSentence.days(view.rule)),
                .init(state(view, facts, apps), view.problem == nil ? nil : .red),
            ])
        }
        return table.lines(
            columns: terminal.columns,
            expendable: members.count > 1 ? [titles[1]] : [titles[2], titles[1]],
            terminal
        )
    }

    private static func kind(_ kind: RuleKind) -> String {
        let korean =
            switch kind {
            case .limit: "한도"
            case .downtime: "다운타임"
            case .window: "시간대"
            case .goal: "목표"
            case .break: "휴식"
            case .allow: "허용"
            case .session: "집중"
            case .unknown: "규칙"
            }
        return Speech.say(kind.rawValue, korean)
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
        let person = rule.member.map { DisplayWidth.harmless($0) }
        let title = Speech.say(
            "\(name), a \(rule.kind.rawValue)\(person.map { " for " + $0 } ?? "")",
            "\(name): \(person.map { $0 + " 님의 " } ?? "")\(kind(rule.kind))"
        )
        var lines = [
            terminal.styled(title, .bold),
            "  " + RuleSentence.what(rule, apps) + RuleSentence.days(rule),
        ]
        let consequence = RuleSentence.consequence(rule, for: rule.member, apps)
        if !consequence.isEmpty { lines.append("  " + consequence) }
        if let say = rule.say.map({ DisplayWidth.harmless($0) }) {
            lines.append("  " + Speech.say("In these words: “\(say)”", "내 말: “\(say)”"))
        }
        if let progress = facts.progress[view.id]?.text(rule.kind) {
            let isBreak = rule.kind == .break
            lines.append(
                Speech.say(
                    isBreak ? "  Now: \(progress)." : "  Today: \(progress).",
                    isBreak ? "  지금: \(progress)." : "  오늘: \(progress)."
                )
            )
        }
        if let when = when(view, facts.moments) { lines.append("  " + DisplayNames.capitalised(when)) }
        if let until = view.pausedUntil.map({ facts.moments.text(wire: $0) }) {
            lines.append("  " + Speech.say("Paused until \(until).", "\(until)까지 쉽니다."))
        }
        if let pending = view.pending {
            lines += RulePendingText.lines(view, pending, facts.moments).map { "  " + $0 }
        }
        if view.isShielding == true {
            lines.append("  " + Speech.say("Its shield is up at this moment.", "지금 제한하고 있습니다."))
        }
        if let opening = facts.opening(view, apps) {
            lines.append("  " + DisplayNames.capitalised(opening) + ".")
        }
        lines += trouble(view).map { terminal.styled("  " + $0, .yellow) }
        let added = facts.moments.at(wire: view.addedAt)
        lines.append(terminal.styled("  " + Speech.say("Added \(added).", "\(added) 추가됨."), .dim))
        return lines
    }

    /// The time that it applies to.
    package static func when(_ view: RuleView, _ moments: MomentWords) -> String? {
        guard Speech.language == .korean, let span = view.interval, let when = view.when else {
            return view.when
        }
        let words = "\(moments.text(span.startWallMs))부터 \(moments.text(span.endWallMs))까지"
        return (when.hasPrefix("now:") ? "지금: " : "다음: ") + words
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
            let person = view.rule.member ?? ""
            let member = members.count > 1 ? Speech.say(", for \(person)", ", \(person)") : ""
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
                ProblemText.asTyped(
                    Speech.say(
                        "  and \(all.count - shown.count) more rules: screentime rule list",
                        "  그 밖에 규칙 \(all.count - shown.count)개: screentime rule list"
                    )
                )
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
            let what =
                view.isWatched
                ? Speech.say("Its shield could not be put right", "제한을 바로잡지 못했습니다")
                : Speech.say("It is not watched", "지켜보지 못합니다")
            // Its code stands before it.
            let said = problem.split(separator: ": ", maxSplits: 1).map { Speech.told(String($0)) }
            return ["\(what): \(DisplayWidth.harmless(said.joined(separator: ": ")))"]
        }
        guard !view.isWatched else { return [] }
        return [
            Speech.say(
                "It is not in force yet: activity-center has not confirmed it.",
                "아직 시작되지 않았습니다. activity-center의 확인을 기다립니다."
            )
        ]
    }

    static func state(_ view: RuleView, _ facts: RuleFacts, _ apps: DisplayNames) -> String {
        if view.problem != nil {
            let line = "screentime rule show \(view.rule.name ?? view.id)"
            return ProblemText.asTyped(
                Speech.say(
                    "\(view.isWatched ? "not shielded" : "not watched"); see `\(line)`",
                    "\(view.isWatched ? "제한하지 못함" : "지켜보지 못함"): `\(line)`"
                )
            )
        }
        if let pending = view.pending { return RulePendingText.short(pending, facts.moments) }
        if let until = view.pausedUntil.map({ facts.moments.text(wire: $0) }) {
            return Speech.say("paused until \(until)", "\(until)까지 쉼")
        }
        let shielding = view.isShielding == true ? Speech.say("shielded", "제한 중") : nil
        let front = (facts.opening(view, apps) ?? shielding).map { $0 + "; " } ?? ""
        if let progress = facts.progress[view.id] { return front + progress.text(view.rule.kind) }
        if !view.isWatched { return Speech.say("not in force yet", "아직 시작 전") }
        return front + (when(view, facts.moments) ?? "")
    }

}

/// A change of a rule that waits, because it makes the rule looser.
package enum RulePendingText {
    package static func short(_ pending: PendingChange, _ moments: MomentWords) -> String {
        "\(moments.text(pending.takesEffectWallMs)): \(text(pending))"
    }

    package static func lines(_ view: RuleView, _ pending: PendingChange, _ moments: MomentWords) -> [String]
    {
        let from = moments.text(pending.takesEffectWallMs)
        let waits = Speech.say(
            "From \(from) \(text(pending)). A change that loosens a rule waits until then.",
            "\(from)부터 \(text(pending)). 느슨하게 하는 변경은 그때까지 기다립니다."
        )
        // A session has no `edit`, and ends by itself.
        guard view.rule.kind != .session else { return [waits] }
        let keep = Speech.say("To keep the rule as it is: ", "규칙을 그대로 두려면: ") + line(view, pending)
        return [waits, ProblemText.asTyped(keep)]
    }

    /// The Korean text of a waiting change, which activity-center describes in English.
    private static func text(_ pending: PendingChange) -> String {
        let korean =
            switch pending.change {
            case "pause": "규칙이 쉽니다"
            case "remove": "규칙이 없어집니다"
            case "add": "허용됩니다"
            default: "규칙이 바뀝니다"
            }
        return Speech.say(DisplayWidth.harmless(pending.text), korean)
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
