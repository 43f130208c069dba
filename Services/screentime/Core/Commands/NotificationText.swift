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
            ? posted.member
            : Speech.say(
                "\(posted.member), from \(apps[posted.app])",
                "\(posted.member), \(apps[posted.app])에서"
            )
        let title = terminal.styled(DisplayWidth.harmless(posted.title), .bold)
        let first = "\(time)  \(title)  " + terminal.styled("(\(DisplayWidth.harmless(from)))", .dim)
        var narrow = terminal
        narrow.columns = max(20, terminal.columns - indent.count)
        let body = posted.body.split { $0.isNewline }.flatMap { line in
            // Its words were chosen when it was posted; Screen Time's own are known here.
            let said = posted.app == BuiltInRules.app ? Speech.told(String(line)) : String(line)
            return TextWrap.lines(DisplayWidth.harmless(said), narrow).map { indent + $0 }
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
        let note = posted.note.map { TextWrap.lines(DisplayWidth.harmless(Speech.told($0)), terminal) } ?? []
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
        let attempts =
            posted.attempts.map { $0 > 1 ? Speech.say(", attempt \($0)", ", \($0)번째 시도") : "" } ?? ""
        let due = posted.dueAt.map { TimeText.text(wire: $0) }
        let again =
            posted.trigger?.repeats == true
            ? due.map { Speech.say(", again at \($0)", ", 다음은 \($0)") } ?? "" : ""
        let text =
            switch posted.state {
            case .scheduled:
                due.map { Speech.say("comes at \($0)", "\($0)에 옴") }
                    ?? Speech.say("is still to come", "아직 오지 않음")
            case .waiting: Speech.say("waits to be shown", "보이기를 기다림") + attempts
            case .sending: Speech.say("is being shown", "보이는 중") + attempts
            case .shown where posted.via == .desktop: Speech.say("shown on the desktop", "데스크톱에 보임")
            case .shown where posted.via == .terminal: Speech.say("shown in a terminal", "터미널에 보임")
            case .shown: Speech.say("shown", "보임")
            case .closed: Speech.say("put away", "치움")
            case .answered: answered(posted)
            case .failed: Speech.say("could not be shown", "보이지 못함") + attempts
            case .uncertain: Speech.say("may or may not have been seen", "보지 못했을 수 있음")
            case .withdrawn: Speech.say("taken back", "거둠")
            case .unknown, nil:
                Speech.say("in a state that this version does not know", "이 버전이 모르는 상태")
            }
        return posted.state == .scheduled ? text : text + again
    }

    private static func answered(_ posted: PostedNotification) -> String {
        guard let answer = posted.answer else { return Speech.say("answered", "답함") }
        let place =
            answer.via == .terminal
            ? Speech.say("in a terminal", "터미널에서") : Speech.say("on the desktop", "데스크톱에서")
        switch answer.action {
        case "default": return Speech.say("opened \(place)", "\(place) 엶")
        case "dismiss": return Speech.say("put away \(place)", "\(place) 치움")
        default:
            let label = DisplayWidth.harmless(
                posted.actions?.first { $0.id == answer.action }?.label ?? answer.action
            )
            return Speech.say("answered “\(label)” \(place)", "\(place) “\(label)”(으)로 답함")
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
        var facts: [(String, String)] = [(Speech.say("app", "앱"), posted.app), ("id", posted.id)]
        func fact(_ english: String, _ korean: String, _ value: String?) {
            if let value { facts.append((Speech.say(english, korean), value)) }
        }
        fact("cause", "까닭", posted.cause)
        fact("urgency", "급한 정도", posted.urgency?.rawValue)
        fact("sound", "소리", posted.hasSound.map { $0 ? Speech.say("yes", "예") : Speech.say("no", "아니요") })
        fact("shown", "보인 때", posted.shownAt.map { TimeText.text(wire: $0) })
        fact("attempts", "시도", posted.attempts.map { String($0) })
        fact("comes", "오는 때", posted.trigger.map(comes))
        for (name, value) in facts {
            lines.append(
                terminal.styled(DisplayWidth.padded(name, 10), .dim) + DisplayWidth.harmless(value)
            )
        }
        for action in posted.actions ?? [] where posted.answer == nil {
            let command =
                "screentime notification answer \(posted.number) \(DisplayWidth.harmless(action.id))"
            lines.append(
                terminal.styled(DisplayWidth.padded(Speech.say("answer", "답"), 10), .dim)
                    + "\(DisplayWidth.harmless(action.label)): \(command)"
            )
        }
        return lines
    }

    private static func comes(_ trigger: NotifyTrigger) -> String {
        let again = trigger.repeats ? Speech.say("every time", "되풀이") : Speech.say("once", "한 번")
        switch trigger.kind {
        case .interval:
            let after = Speech.duration(ms: trigger.afterMs ?? 0)
            return Speech.say("\(again), after \(after)", "\(again), \(after) 뒤")
        case .calendar: return Speech.say("\(again), by the calendar", "\(again), 달력에 따라")
        case .unknown: return again
        }
    }
}
