import STContracts
import STDomain

/// What a rule or an event is about, as on the command line: `firefox`, `site:example.org`, `category:games`.
enum SubjectText {
    static let expectation =
        "Write an app as firefox, a site as site:example.org and a category as category:games."

    static func item(_ text: String) -> TokenItem? {
        if text.hasPrefix("site:") { return named(.domain, text.dropFirst(5)) }
        if text.hasPrefix("category:") {
            guard Category(rawValue: String(text.dropFirst(9))) != nil else { return nil }
            return named(.category, text.dropFirst(9))
        }
        return named(.application, text[...])
    }

    static func text(_ item: TokenItem) -> String {
        switch item.kind {
        case .category: "category:\(item.id)"
        case .domain: "site:\(item.id)"
        default: item.id
        }
    }

    private static func named(_ kind: TokenKind, _ name: Substring) -> TokenItem? {
        let isName = !name.isEmpty && name.utf8.count <= 256 && !name.contains(":") && !name.contains(" ")
        return isName ? TokenItem(kind: kind, id: String(name)) : nil
    }
}
