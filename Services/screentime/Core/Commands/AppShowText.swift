import STContracts
import STPlatform

/// What an app may do and watches, in words.
enum AppShowText {
    /// Reasons that are named for one event.
    private static let partsMax = 8

    static func lines(
        _ app: String,
        _ words: [Authorization],
        _ activities: [ExplainedActivity],
        _ terminal: Terminal
    ) -> [String] {
        var lines: [String] = []
        if words.isEmpty { lines.append("\(harmless(app)) has not been allowed anything.") }
        for word in words { lines.append(sentence(word)) }
        if activities.isEmpty { lines.append("It watches nothing.") }
        for explained in activities { lines += [""] + block(explained, terminal) }
        return lines
    }

    private static func sentence(_ word: Authorization) -> String {
        let who = harmless(word.member)
        let app = harmless(word.app)
        return switch word.status {
        case .approved where !word.access: "\(who) allowed \(app), and has switched its access off."
        case .approved where !word.enforce: "\(who) allows \(app) to watch; what it sets is not enforced."
        case .approved: "\(who) allows \(app)."
        case .denied: "\(who) does not allow \(app)."
        case .notDetermined, .unknown: "\(who) has not said anything about \(app)."
        }
    }

    private static func block(_ explained: ExplainedActivity, _ terminal: Terminal) -> [String] {
        let activity = explained.activity
        let state = explained.isOngoing ? "under way" : "not under way"
        var lines = [
            "\(harmless(activity.activity)) of \(harmless(activity.member)): \(harmless(activity.understood)) (\(state))"
        ]
        for event in explained.events { lines += block(event, terminal) }
        return lines
    }

    private static func block(_ event: ExplainEvent, _ terminal: Terminal) -> [String] {
        let counted = TextFormat.duration(ms: event.countedMs)
        let threshold = TextFormat.duration(ms: event.thresholdMs)
        let state = event.reached ? ", reached" : event.warned ? ", warned" : ""
        var lines = [
            "  \(harmless(event.event)): counted \(counted) of \(threshold)\(state), since \(LocalTime.text(wallMs: event.sinceWallMs))"
        ]
        for part in event.parts.prefix(partsMax) {
            let text =
                "    \(TextFormat.duration(ms: part.ms)) of \(harmless(part.item)) \(harmless(part.because))"
            lines.append(part.counted ? text : terminal.styled(text, .dim))
        }
        if event.parts.count > partsMax {
            lines.append("    and \(event.parts.count - partsMax) more; --json has all.")
        }
        return lines
    }

    private static func harmless(_ text: String) -> String { DisplayWidth.harmless(text) }
}
