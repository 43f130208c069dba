import STDomain
import STPlatform

/// What the system itself writes on a shield, in English and Korean.
struct ShieldWords {
    /// Who put a shield up.
    enum Author: Equatable {
        case app(String)
        case rule(String)
        case nobody
    }

    let language: WordLanguage

    init(_ language: String) { self.language = WordLanguage(of: language) }

    func title(_ name: String) -> String { say("\(name) is shielded", "\(name) 사용이 제한되었습니다") }

    /// `opens` as `OpeningWords` has it.
    func subtitle(by author: Author, opens: String?) -> String {
        let who =
            switch author {
            case .app(let app):
                say("\(app) has put a shield over it.", "\(app) 앱이 사용을 제한했습니다.")
            case .rule(let rule):
                say(
                    "Your rule “\(rule)” has put a shield over it.",
                    "“\(rule)” 규칙에 따라 사용이 제한되었습니다."
                )
            case .nobody: say("Nothing shields it at the moment.", "지금은 제한되어 있지 않습니다.")
            }
        guard let opens else { return who }
        return who + " " + say("It does not open before \(opens).", "\(opens) 전에는 열리지 않습니다.")
    }

    /// `1h30m`, `1시간 30분`.
    func duration(ms: Int64) -> String {
        TextFormat.duration(ms: ms, in: language)
    }

    /// Behind the subtitle.
    func asked(_ request: MoreTime) -> String {
        let minutes = max(1, request.durationMs / 60_000)
        return say(
            " \(minutes) more minutes are asked for (\(request.name)).",
            " \(minutes)분을 더 요청했습니다(\(request.name))."
        )
    }

    var close: String { say("OK", "확인") }

    var askForMore: String { say("Ask for more time", "시간 더 요청하기") }

    private func say(_ english: String, _ korean: String) -> String { language.pick(english, korean) }
}
