import STContracts
import STDBus
import STPlatform

/// A notification as `Notify` of org.freedesktop.Notifications takes it.
struct DesktopWords: Sendable {
    /// What the program that shows it can do, by its own word.
    let capabilities: Set<String>

    private static let ownName = "Screen Time"
    private static let icon = "preferences-system-time"

    func arguments(_ posted: PostedNotification, replacing: Int64?) -> [DBusValue] {
        [
            .string(posted.app == BuiltInRules.app ? Self.ownName : posted.app),
            .uint32(replacing.map { UInt32(clamping: $0) } ?? 0),
            .string(Self.icon),
            .string(summary(posted)),
            .string(body(posted)),
            .strings(actions(posted)),
            .dictionary(value: "v", hints(posted)),
            // As long as the desktop thinks right; what is urgent stays until somebody has seen it.
            .int32(posted.urgency == .critical ? 0 : -1),
        ]
    }

    /// Never markup, says the specification.
    private func summary(_ posted: PostedNotification) -> String {
        guard !capabilities.contains("body"), !posted.body.isEmpty else { return posted.title }
        return posted.title + ": " + posted.body.split { $0.isNewline }.joined(separator: " ")
    }

    private func body(_ posted: PostedNotification) -> String {
        guard capabilities.contains("body") else { return "" }
        return capabilities.contains("body-markup") ? Markup.escaped(posted.body) : posted.body
    }

    /// A press on the notification itself is an action as well.
    private func actions(_ posted: PostedNotification) -> [String] {
        guard capabilities.contains("actions") else { return [] }
        return ["default", "Open"] + (posted.actions ?? []).flatMap { [$0.id, $0.label] }
    }

    private func hints(_ posted: PostedNotification) -> [(key: String, value: DBusValue)] {
        let urgency: UInt8 =
            switch posted.urgency {
            case .low: 0
            case .critical: 2
            case .normal, .unknown, nil: 1
            }
        var hints: [(key: String, value: DBusValue)] = [
            ("urgency", .variant(.byte(urgency))),
            ("desktop-entry", .variant(.string(posted.app == BuiltInRules.app ? "screentime" : posted.app))),
            ("x-screentime-number", .variant(.int64(posted.number))),
            ("x-screentime-id", .variant(.string(posted.id))),
        ]
        switch posted.hasSound {
        case true: hints.append(("sound-name", .variant(.string("message-new-instant"))))
        case false: hints.append(("suppress-sound", .variant(.bool(true))))
        case nil: break
        }
        return hints
    }
}
