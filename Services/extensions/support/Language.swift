import Foundation

/// The languages that the apps speak.
package enum Language: Sendable {
    case english, korean

    package static let current = Language(environment: ProcessInfo.processInfo.environment)

    /// As the variables of the locale say, the strongest one first.
    package init(environment: [String: String]) {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }
        let name = names.first { !$0.isEmpty } ?? ""
        self = name.hasPrefix("ko") ? .korean : .english
    }

    /// The one of the two that is spoken.
    package func say(_ english: String, _ korean: String) -> String {
        switch self {
        case .english: english
        case .korean: korean
        }
    }
}
