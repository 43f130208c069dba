import STContracts
import STPlatform

/// Everything about one notification.
extension NotificationText {
    static func whole(_ posted: PostedNotification, _ terminal: Terminal) -> [String] {
        var lines = lines(posted, terminal) + [""]
        var facts: [(String, String)] = [("app", posted.app), ("id", posted.id)]
        if let cause = posted.cause { facts.append(("cause", cause)) }
        if let urgency = posted.urgency { facts.append(("urgency", urgency.rawValue)) }
        if let sound = posted.hasSound { facts.append(("sound", sound ? "yes" : "no")) }
        if let shown = posted.shownAt { facts.append(("shown", LocalTime.text(wire: shown))) }
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
