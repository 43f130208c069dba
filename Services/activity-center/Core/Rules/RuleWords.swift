import STContracts
import STDomain
import STPlatform

/// The words of rules: names of apps, and windows.
enum RuleWords {
    /// Longer lists are cut, because they stand in a title.
    static let namesMax = 3

    /// `firefox, social and 2 more`.
    static func names(_ items: [TokenItem], _ name: (TokenItem) -> String = name) -> String {
        guard !items.isEmpty else { return "the computer" }
        let names = items.map(name)
        guard names.count > namesMax else {
            return names.count == 1
                ? names[0] : names.dropLast().joined(separator: ", ") + " and \(names[names.count - 1])"
        }
        let rest = names.count - namesMax + 1
        return names.prefix(namesMax - 1).joined(separator: ", ") + " and \(rest) more"
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

/// The words of notices in the language of the account: Korean, or else English.
struct NoticeWords: Sendable, Equatable {
    private let language: WordLanguage
    /// What apps are called here.
    var apps = DesktopApps()

    init(language: String) { self.language = WordLanguage(of: language) }

    func pick(_ english: String, _ korean: String) -> String { language.pick(english, korean) }

    /// `1 h 30 min`, `1시간 30분`.
    func duration(ms: Int64) -> String {
        TextFormat.duration(ms: ms, in: language)
    }

    /// `Time for a break of 5 min`.
    func rest(_ spec: RuleSpec) -> String {
        let length = duration(ms: spec.restMs ?? 0)
        return pick("Time for a break of \(length)", "\(length) 쉴 시간입니다")
    }

    /// `Firefox, social and 2 more`, `Firefox, social 외 2개`.
    func names(_ items: [TokenItem]) -> String {
        guard language == .korean else { return RuleWords.names(items, name) }
        guard !items.isEmpty else { return "컴퓨터" }
        let names = items.map(name)
        guard names.count > RuleWords.namesMax else { return names.joined(separator: ", ") }
        let rest = names.count - RuleWords.namesMax + 1
        return names.prefix(RuleWords.namesMax - 1).joined(separator: ", ") + " 외 \(rest)개"
    }

    private func name(_ item: TokenItem) -> String {
        let known = item.kind == .application ? apps[item.id] : nil
        return (known?.names[language.rawValue] ?? known?.name).map(DisplayWidth.harmless)
            ?? RuleWords.name(item)
    }
}
