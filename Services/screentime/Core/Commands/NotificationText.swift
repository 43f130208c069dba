package import STContracts
import STPlatform

/// One notification on a terminal: when and to whom, and below it what was said.
package enum NotificationText {
    /// `isLive`: it comes at this moment, so that only what can be done about it is of use.
    package static func lines(
        _ posted: PostedNotification,
        _ apps: DisplayNames,
        _ terminal: Terminal,
        isLive: Bool = false
    ) -> [String] {
        let time = TimeText.text(wire: posted.postedAt)
        let indent = String(repeating: " ", count: DisplayWidth.columns(time) + 2)
        let from =
            posted.app == BuiltInRules.app
            ? posted.member : "\(posted.member), from \(apps[posted.app])"
        let title = terminal.styled(DisplayWidth.harmless(posted.title), .bold)
        let first = "\(time)  \(title)  " + terminal.styled("(\(DisplayWidth.harmless(from)))", .dim)
        var narrow = terminal
        narrow.columns = max(20, terminal.columns - indent.count)
        let body = posted.body.split { $0.isNewline }.flatMap { line in
            TextWrap.lines(DisplayWidth.harmless(String(line)), narrow).map { indent + $0 }
        }
        let standing = isLive ? buttons(posted, narrow) : standing(posted, narrow)
        return [first] + body + standing.map { indent + $0 }
    }

    /// One that was answered: by its number, because it may have come long ago.
    static func answer(_ posted: PostedNotification, _ terminal: Terminal) -> String {
        let time = TimeText.text(wallMs: posted.answer?.wallMs ?? 0)
        let title = DisplayWidth.harmless(posted.title)
        return "\(time)  " + terminal.styled("#\(posted.number) \(answered(posted)): \(title)", .green)
    }

    // MARK: - How far it has come

    /// `#12  shown on the desktop  [more] 15 more minutes`, and what a person should know about it.
    private static func standing(_ posted: PostedNotification, _ terminal: Terminal) -> [String] {
        guard let state = posted.state else { return [] }
        var line = terminal.styled("#\(posted.number)  ", .dim) + terminal.styled(words(posted), style(state))
        if let labels = labels(posted) { line += "  " + labels }
        let note = posted.note.map { TextWrap.lines(DisplayWidth.harmless($0), terminal) } ?? []
        return [line] + note.map { terminal.styled($0, .dim) }
    }

    /// The buttons of a notification that can still be answered.
    private static func labels(_ posted: PostedNotification) -> String? {
        let canAnswer = [.shown, .waiting, .sending, .uncertain].contains(posted.state)
        guard canAnswer, let actions = posted.actions, !actions.isEmpty else { return nil }
        return actions.map { "[\(DisplayWidth.harmless($0.id))] \(DisplayWidth.harmless($0.label))" }
            .joined(separator: "  ")
    }

    private static func buttons(_ posted: PostedNotification, _ terminal: Terminal) -> [String] {
        guard let labels = labels(posted), let first = posted.actions?.first?.id else { return [] }
        let command = "screentime notification answer \(posted.number) \(DisplayWidth.harmless(first))"
        return [labels, terminal.styled(command, .dim)]
    }

    static func words(_ posted: PostedNotification) -> String {
        let attempts = posted.attempts.map { $0 > 1 ? ", attempt \($0)" : "" } ?? ""
        let due = posted.dueAt.map { TimeText.text(wire: $0) }
        let again = posted.trigger?.repeats == true ? due.map { ", again at \($0)" } ?? "" : ""
        let text =
            switch posted.state {
            case .scheduled: due.map { "comes at \($0)" } ?? "is still to come"
            case .waiting: "waits to be shown" + attempts
            case .sending: "is being shown" + attempts
            case .shown where posted.via == .desktop: "shown on the desktop"
            case .shown where posted.via == .terminal: "shown in a terminal"
            case .shown: "shown"
            case .closed: "put away"
            case .answered: answered(posted)
            case .failed: "could not be shown" + attempts
            case .uncertain: "may or may not have been seen"
            case .withdrawn: "taken back"
            case .unknown, nil: "in a state that this version does not know"
            }
        return posted.state == .scheduled ? text : text + again
    }

    private static func answered(_ posted: PostedNotification) -> String {
        guard let answer = posted.answer else { return "answered" }
        let place = answer.via == .terminal ? "in a terminal" : "on the desktop"
        switch answer.action {
        case "default": return "opened \(place)"
        case "dismiss": return "put away \(place)"
        default:
            let label = posted.actions?.first { $0.id == answer.action }?.label ?? answer.action
            return "answered “\(DisplayWidth.harmless(label))” \(place)"
        }
    }

    static func style(_ state: NotifyState) -> Terminal.Style {
        switch state {
        case .waiting, .sending, .uncertain: .yellow
        case .failed: .red
        case .answered: .green
        case .scheduled: .cyan
        case .shown, .closed, .withdrawn, .unknown: .dim
        }
    }

    /// The program that shows notifications here, or why none does; nil when the notifier has not said.
    static func desktop(_ desktop: NotifyDesktop?) -> (text: String, isMissing: Bool)? {
        guard let desktop else { return nil }
        switch desktop.state {
        case .ready:
            let name = DisplayWidth.harmless(desktop.name ?? Speech.say("a program", "프로그램"))
            return (
                Speech.say("Shown on the desktop by \(name).", "데스크톱에 보여 주는 것: \(name)."), false
            )
        case .absent:
            let why = desktop.note.map { " " + DisplayWidth.harmless(Speech.told($0)) } ?? ""
            return (
                Speech.say("No desktop shows notifications.", "알림을 보여 주는 데스크톱이 없습니다.") + why, true
            )
        case .off:
            return (
                Speech.say(
                    "Notifications are only kept in the list here, as the configuration says.",
                    "설정에 따라 알림을 목록에만 둡니다."
                ), false
            )
        case .unknown: return nil
        }
    }

    /// Everything about one notification.
    static func whole(_ posted: PostedNotification, _ apps: DisplayNames, _ terminal: Terminal) -> [String] {
        var lines = lines(posted, apps, terminal) + [""]
        var facts: [(String, String)] = [("app", posted.app), ("id", posted.id)]
        if let cause = posted.cause { facts.append(("cause", cause)) }
        if let urgency = posted.urgency { facts.append(("urgency", urgency.rawValue)) }
        if let sound = posted.hasSound { facts.append(("sound", sound ? "yes" : "no")) }
        if let shown = posted.shownAt { facts.append(("shown", TimeText.text(wire: shown))) }
        if let attempts = posted.attempts { facts.append(("attempts", String(attempts))) }
        if let trigger = posted.trigger { facts.append(("comes", comes(trigger))) }
        for (name, value) in facts {
            let label = name + String(repeating: " ", count: 10 - name.count)
            lines.append(terminal.styled(label, .dim) + DisplayWidth.harmless(value))
        }
        for action in posted.actions ?? [] where posted.answer == nil {
            let command =
                "screentime notification answer \(posted.number) \(DisplayWidth.harmless(action.id))"
            lines.append(
                terminal.styled("answer    ", .dim) + "\(DisplayWidth.harmless(action.label)): \(command)"
            )
        }
        return lines
    }

    private static func comes(_ trigger: NotifyTrigger) -> String {
        let again = trigger.repeats ? "every time" : "once"
        switch trigger.kind {
        case .interval: return "\(again), after \(TextFormat.duration(ms: trigger.afterMs ?? 0))"
        case .calendar: return "\(again), by the calendar"
        case .unknown: return again
        }
    }
}
