import STContracts
import STDomain
import STPlatform

/// The text for apps and windows in rules.
enum RuleLabels {
    /// Upper bound on the names in a list. Longer lists are truncated, because they are part of a title.
    static let namesMax = 3

    /// Returns a list such as `firefox, social and 2 more`.
    static func names(
        _ items: [TokenItem],
        _ name: (TokenItem) -> String = name
    ) -> Message {
        guard let last = items.last.map(name) else {
            return Message("rule-notice.the-computer", "the computer")
        }
        guard items.count > 1 else { return Message(verbatim: last) }
        let isCut = items.count > namesMax
        let first = items.prefix(isCut ? namesMax - 1 : items.count - 1).map(name).joined(separator: ", ")
        let rest = items.count - namesMax + 1
        return isCut
            ? Message("rule-notice.names-and-more", "\(first, "names") and \(rest, "count") more")
            : Message("rule-notice.names-and", "\(first, "names") and \(last, "name")")
    }

    /// Returns the last part of an id such as `org.mozilla.firefox`, which people recognise.
    static func name(_ item: TokenItem) -> String {
        guard item.kind == .application else { return item.id }
        let parts = item.id.split(separator: ".")
        return parts.count > 2 ? String(parts[parts.count - 1]) : item.id
    }

    /// Returns a range such as `21:30-07:00`.
    static func window(_ window: RuleWindow) -> String { "\(window.from)-\(window.to)" }
}

/// The strings of notices in the language of the account.
struct NoticeStrings: Sendable, Equatable {
    private let language: DisplayLanguage
    /// The names of apps on this computer.
    var apps = DesktopApps()

    init(language: String) { self.language = DisplayLanguage(of: language) }

    func say(_ key: String, _ text: MessageText) -> String { language.text(key, text) }

    func say(_ message: Message) -> String { message.text(in: language) }

    /// Returns a text such as `1 h 30 min`.
    func duration(ms: Int64) -> String {
        TextFormat.duration(ms: ms, in: language)
    }

    /// Returns a text such as `Time for a break of 5 min`.
    func rest(_ spec: RuleSpec) -> String {
        let length = duration(ms: spec.restMs ?? 0)
        return say("rule-notice.time-for-a-break", "Time for a break of \(length, "length")")
    }

    /// Returns a list such as `Firefox, social and 2 more`.
    func names(_ items: [TokenItem]) -> String { RuleLabels.names(items, name).text(in: language) }

    private func name(_ item: TokenItem) -> String {
        let known = item.kind == .application ? apps[item.id] : nil
        return (known?.names[language.code] ?? known?.name).map(DisplayWidth.sanitized)
            ?? RuleLabels.name(item)
    }
}
