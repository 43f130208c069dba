package import STContracts
import STPlatform

/// A notification on a terminal: its time, title and recipient, and its body below.
package enum NotificationText {
    /// Returns the lines. With `isLive`, the notification was posted just now, so its buttons replace its state.
    package static func lines(
        _ posted: PostedNotification,
        apps: DisplayNames,
        terminal: Terminal,
        isLive: Bool = false
    ) -> [String] {
        let time = TimeText.text(wire: posted.postedAt)
        let indent = String(repeating: " ", count: DisplayWidth.columns(time) + 2)
        let from =
            posted.app == BuiltInRules.app
            ? posted.member
            : Speech.say("notification.from", "\(posted.member, "member"), from \(apps[posted.app], "apps")")
        let title = terminal.styled(DisplayWidth.sanitized(posted.title), .bold)
        let first = "\(time)  \(title)  " + terminal.styled("(\(DisplayWidth.sanitized(from)))", .dim)
        var narrow = terminal
        narrow.columns = max(20, terminal.columns - indent.count)
        let body = posted.body.split { $0.isNewline }.flatMap { line in
            TextWrap.lines(DisplayWidth.sanitized(String(line)), narrow).map { indent + $0 }
        }
        let standing = isLive ? buttons(posted, narrow) : stateLines(posted, narrow)
        return [first] + body + standing.map { indent + $0 }
    }

    /// Returns the answer to a notification. Its number identifies it, because it may have been posted long ago.
    static func answer(_ posted: PostedNotification, _ terminal: Terminal) -> String {
        let time = TimeText.text(WallTime(ms: posted.answer?.wallMs ?? 0))
        let title = DisplayWidth.sanitized(posted.title)
        return "\(time)  " + terminal.styled("#\(posted.number) \(answered(posted)): \(title)", .green)
    }

    // MARK: - Delivery state

    /// Returns the state and buttons, for example `#12 shown on the desktop [more] 15 more minutes`, and the note.
    private static func stateLines(_ posted: PostedNotification, _ terminal: Terminal) -> [String] {
        guard let state = posted.state else { return [] }
        var line =
            terminal.styled("#\(posted.number)  ", .dim) + terminal.styled(bodyText(posted), style(state))
        if let labels = labels(posted) { line += "  " + labels }
        let note = posted.note.map { TextWrap.lines(DisplayWidth.sanitized(Speech.say($0)), terminal) } ?? []
        return [line] + note.map { terminal.styled($0, .dim) }
    }

    /// Returns the buttons of a notification that can still be answered.
    private static func labels(_ posted: PostedNotification) -> String? {
        let canAnswer = [.shown, .waiting, .sending, .uncertain].contains(posted.state)
        guard canAnswer, let actions = posted.actions, !actions.isEmpty else { return nil }
        return actions.map { "[\(DisplayWidth.sanitized($0.id))] \(DisplayWidth.sanitized($0.label))" }
            .joined(separator: "  ")
    }

    private static func buttons(_ posted: PostedNotification, _ terminal: Terminal) -> [String] {
        guard let labels = labels(posted), let first = posted.actions?.first?.id else { return [] }
        let command = "screentime notification answer \(posted.number) \(DisplayWidth.sanitized(first))"
        return [labels, terminal.styled(command, .dim)]
    }

    static func bodyText(_ posted: PostedNotification) -> String {
        let attempts =
            posted.attempts.map {
                $0 > 1 ? Speech.say("notification.attempt", ", attempt \($0, "number")") : ""
            } ?? ""
        let due = posted.dueAt.map { TimeText.text(wire: $0) }
        let again =
            posted.trigger?.repeats == true
            ? due.map { Speech.say("notification.again-at", ", again at \($0, "time")") } ?? "" : ""
        let text =
            switch posted.state {
            case .scheduled:
                due.map { Speech.say("notification.comes-at", "scheduled for \($0, "time")") }
                    ?? Speech.say("notification.is-still-to-come", "scheduled")
            case .waiting: Speech.say("notification.waits-to-be-shown", "waiting to be shown") + attempts
            case .sending: Speech.say("notification.is-being-shown", "being shown") + attempts
            case .shown where posted.via == .desktop:
                Speech.say("notification.shown-on-the-desktop", "shown on the desktop")
            case .shown where posted.via == .terminal:
                Speech.say("notification.shown-in-a-terminal", "shown in a terminal")
            case .shown: Speech.say("notification.shown", "shown")
            case .closed: Speech.say("notification.put-away", "closed")
            case .answered: answered(posted)
            case .failed: Speech.say("notification.could-not-be-shown", "could not be shown") + attempts
            case .uncertain: Speech.say("notification.may-or-may-not", "may or may not have been seen")
            case .withdrawn: Speech.say("notification.taken-back-2", "withdrawn")
            case .unknown, nil:
                Speech.say("notification.in-a-state-that", "in a state that this version does not recognise")
            }
        return posted.state == .scheduled ? text : text + again
    }

    private static func answered(_ posted: PostedNotification) -> String {
        guard let answer = posted.answer else { return Speech.say("notification.answered", "answered") }
        let place =
            answer.via == .terminal
            ? Speech.say("notification.in-a-terminal-2", "in a terminal")
            : Speech.say("notification.on-the-desktop", "on the desktop")
        switch answer.action {
        case "default": return Speech.say("notification.opened", "opened \(place, "place")")
        case "dismiss": return Speech.say("notification.put-away-2", "closed \(place, "place")")
        default:
            let label = DisplayWidth.sanitized(
                posted.actions?.first { $0.id == answer.action }?.label ?? answer.action
            )
            return Speech.say("notification.answered-2", "answered “\(label, "label")” \(place, "place")")
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

    /// Returns the program that shows notifications, or the reason why none does. Returns `nil` if notifier has not reported it.
    static func desktop(_ desktop: NotifyDesktop?) -> String? {
        switch desktop?.state {
        case .ready:
            let name = DisplayWidth.sanitized(
                desktop?.name ?? Speech.say("notification.a-program", "a program")
            )
            return Speech.say(
                "notification.shown-on-the-desktop-by",
                "Shown on the desktop by \(name, "name")."
            )
        case .off:
            return Speech.say(
                "notification.notifications-are-only-kept",
                """
                Desktop notifications are switched off in the configuration, so notifications appear \
                only in the list of notifications.
                """
            )
        case .absent, .unknown, nil: return nil
        }
    }

    /// Returns all details of one notification.
    static func details(_ posted: PostedNotification, apps: DisplayNames, terminal: Terminal) -> [String] {
        var lines = lines(posted, apps: apps, terminal: terminal) + [""]
        let sound = posted.hasSound.map {
            $0 ? Speech.say("notification.yes", "yes") : Speech.say("notification.no", "no")
        }
        let facts: [(name: String, value: String?)] = [
            (Speech.say("notification.app", "app"), posted.app), ("id", posted.id),
            (Speech.say("notification.cause", "cause"), posted.cause),
            (Speech.say("notification.urgency", "urgency"), posted.urgency?.rawValue),
            (Speech.say("notification.sound", "sound"), sound),
            (Speech.say("notification.shown-at", "shown"), posted.shownAt.map { TimeText.text(wire: $0) }),
            (Speech.say("notification.attempts", "attempts"), posted.attempts.map { String($0) }),
            (Speech.say("notification.comes", "schedule"), posted.trigger.map(triggerText)),
        ]
        for case (let name, let value?) in facts {
            lines.append(
                terminal.styled(DisplayWidth.padded(name, 10), .dim) + DisplayWidth.sanitized(value)
            )
        }
        for action in posted.actions ?? [] where posted.answer == nil {
            let command =
                "screentime notification answer \(posted.number) \(DisplayWidth.sanitized(action.id))"
            lines.append(
                terminal.styled(DisplayWidth.padded(Speech.say("notification.answer", "answer"), 10), .dim)
                    + "\(DisplayWidth.sanitized(action.label)): \(command)"
            )
        }
        return lines
    }

    private static func triggerText(_ trigger: NotifyTrigger) -> String {
        let again =
            trigger.repeats
            ? Speech.say("notification.every-time", "repeatedly") : Speech.say("notification.once", "once")
        switch trigger.kind {
        case .interval:
            let after = Speech.duration(ms: trigger.afterMs ?? 0)
            return Speech.say("notification.after", "\(again, "again"), after \(after, "after")")
        case .calendar:
            return Speech.say("notification.by-the-calendar", "\(again, "again"), on a calendar schedule")
        case .unknown: return again
        }
    }
}
