import STContracts
import STDomain
import STPlatform

/// The words of rules: names of apps, and windows.
enum RuleWords {
    /// Longer lists are cut, because they stand in a title.
    static let namesMax = 3

    /// `firefox, social and 2 more`.
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

    /// The last word of an id such as `org.mozilla.firefox`, which people know.
    static func name(_ item: TokenItem) -> String {
        guard item.kind == .application else { return item.id }
        let parts = item.id.split(separator: ".")
        return parts.count > 2 ? String(parts[parts.count - 1]) : item.id
    }

    /// `21:30-07:00`.
    static func window(_ window: RuleWindow) -> String { "\(window.from)-\(window.to)" }
}

/// The words of notices in the language of the account.
struct NoticeWords: Sendable, Equatable {
    private let language: WordLanguage
    /// What apps are called here.
    var apps = DesktopApps()

    init(language: String) { self.language = WordLanguage(of: language) }

    func say(_ key: String, _ text: MessageText) -> String { language.say(key, text) }

    func say(_ message: Message) -> String { message.text(in: language) }

    /// `1 h 30 min`.
    func duration(ms: Int64) -> String {
        TextFormat.duration(ms: ms, in: language)
    }

    /// `Time for a break of 5 min`.
    func rest(_ spec: RuleSpec) -> String {
        let length = duration(ms: spec.restMs ?? 0)
        return say("rule-notice.time-for-a-break", "Time for a break of \(length, "length")")
    }

    /// `Firefox, social and 2 more`.
    func names(_ items: [TokenItem]) -> String { RuleWords.names(items, name).text(in: language) }

    private func name(_ item: TokenItem) -> String {
        let known = item.kind == .application ? apps[item.id] : nil
        return (known?.names[language.code] ?? known?.name).map(DisplayWidth.harmless)
            ?? RuleWords.name(item)
    }
}
