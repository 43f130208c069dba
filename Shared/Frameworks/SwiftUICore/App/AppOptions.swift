import Foundation
import STPlatform

/// What the words after an app's name ask for.
struct AppOptions: Equatable {
    var html: String?
    var isJSON = false
    var language: String
    /// Labels of what is to be chosen on the page.
    var select: [String] = []

    init(_ words: [String], environment: [String: String]) throws(Problem) {
        language = Self.code(SessionLanguage.tag(environment) ?? "")
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--json": isJSON = true
            case "--html": html = try Self.value(word, &rest)
            case "--language": language = Self.code(try Self.value(word, &rest))
            case "--select": select.append(try Self.value(word, &rest))
            default:
                throw Problem(
                    "usage.unknown_option",
                    "There is no option \(word.prefix(40)). There are --html FILE, --json, --language CODE, --select LABEL."
                )
            }
        }
    }

    private static func value(_ option: String, _ rest: inout ArraySlice<String>) throws(Problem) -> String {
        guard let value = rest.popFirst(), !value.isEmpty else {
            throw Problem("usage.value_missing", "\(option) wants a value after it.")
        }
        return value
    }

    /// `ko` of `ko_KR.UTF-8`; English where there is none.
    private static func code(_ name: String) -> String {
        let code = String(name.prefix { $0.isLetter && $0.isASCII })
        return code.isEmpty || code == "C" || code == "POSIX" ? "en" : code.lowercased()
    }
}
