import STContracts
import STPlatform

/// The words of what rules say, in the language of the account: Korean, or else English.
struct NoticeWords: Sendable, Equatable {
    private let language: WordLanguage

    init(language: String) { self.language = WordLanguage(of: language) }

    func pick(_ english: String, _ korean: String) -> String { language.pick(english, korean) }

    /// `1h30m`, `1시간 30분`: the two largest units, rounded down.
    func duration(ms: Int64) -> String {
        TextFormat.duration(ms: ms, in: language)
    }

    /// `firefox, social and 2 more`, `firefox, social 외 2개`.
    func names(_ items: [TokenItem]) -> String {
        guard language == .korean else { return RuleWords.names(items) }
        guard !items.isEmpty else { return "컴퓨터" }
        let names = items.map(RuleWords.name)
        guard names.count > RuleWords.namesMax else { return names.joined(separator: ", ") }
        let rest = names.count - RuleWords.namesMax + 1
        return names.prefix(RuleWords.namesMax - 1).joined(separator: ", ") + " 외 \(rest)개"
    }
}
