import Foundation

/// The languages of the apps.
package enum Language: Sendable {
    case english, korean

    package static let current = Language(environment: ProcessInfo.processInfo.environment)

    /// Reads the language from the environment variables of the locale, by precedence.
    package init(environment: [String: String]) {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }
        let name = names.first { !$0.isEmpty } ?? ""
        self = name.hasPrefix("ko") ? .korean : .english
    }

    package func say(_ english: String, _ korean: String) -> String {
        switch self {
        case .english: english
        case .korean: korean
        }
    }
}

/// The texts of an app, including the texts that all apps share.
package protocol AppWords: Sendable {
    var language: Language { get }
}

extension AppWords {
    package func say(_ english: String, _ korean: String) -> String { language.say(english, korean) }

    package func permission(isApproved: Bool) -> String {
        isApproved
            ? say("Permission: given", "권한: 허용됨") : say("Permission: not given yet", "권한: 아직 없음")
    }

    package func next(_ step: String) -> String { say("What now? [\(step)]", "무엇을 할까요? [\(step)]") }

    package var waiting: String { say("Asked. Waiting for the answer …", "물어봤어요. 대답을 기다리는 중 …") }

    package var askNames: String {
        say("Which apps, categories and sites? (Enter keeps them)", "어떤 앱, 카테고리, 사이트인가요? (Enter: 그대로)")
    }

    package var askFrom: String { say("From what time? (Enter keeps it)", "몇 시부터요? (Enter: 그대로)") }

    package var askTo: String { say("Until what time? (Enter keeps it)", "몇 시까지요? (Enter: 그대로)") }

    package var stopped: String { say("Monitoring has stopped.", "이제 아무것도 지켜보지 않아요.") }

    package var unknown: String { say("There is no such choice.", "그런 선택은 없어요.") }
}
