package import STContracts
package import STPlatform

/// Reads `firefox`, `category:social` and `site:reddit.com`, the same everywhere.
package enum SubjectReader {
    /// In place of subjects: all use of the computer.
    package static let everything = "everything"

    private static let prefixes = ["category", "site"]
    /// With one of these at its end a word is more likely a site than an app, whose ids are longer.
    private static let siteEndings: Set<String> = [
        "com", "org", "net", "tv", "io", "de", "kr", "me", "gg", "co", "app", "dev",
    ]

    /// `front` and `back` are what stands around the words on the line, for the advice.
    package static func items(_ words: [String], after front: String, before back: String? = nil)
        throws(Problem) -> [TokenItem]
    {
        if words == [everything] { return [] }
        var items: [TokenItem] = []
        for (index, word) in words.enumerated() {
            do {
                items.append(try item(word))
            } catch {
                // With what was meant in its place, and all else as it was typed.
                var meant = words
                meant[index] = error.details["meant"] ?? word
                let line = ([front] + meant + [back].compactMap(\.self)).joined(separator: " ")
                throw Problem(error.code, text: error.text, help: line)
            }
        }
        return items
    }

    private static func item(_ word: String) throws(Problem) -> TokenItem {
        guard let colon = word.firstIndex(of: ":") else { return try app(word) }
        let prefix = String(word[..<colon])
        let rest = String(word[word.index(after: colon)...])
        switch prefix {
        case "category": return TokenItem(kind: .category, id: rest.lowercased())
        case "site": return try site(rest)
        case "http", "https": throw bad(word, meant: "site:\(host(word))")
        default:
            let near = TextFormat.closest(to: prefix, in: prefixes)
            throw bad(word, meant: near.map { "\($0):\(rest)" } ?? rest)
        }
    }

    private static func app(_ word: String) throws(Problem) -> TokenItem {
        guard word.contains(where: { !$0.isWhitespace }) else { throw bad(word, meant: "firefox") }
        if word == everything {
            throw Problem(
                "usage.bad_subject",
                "“everything” cannot be combined with other apps, sites or categories.",
                key: "usage.bad_subject.everything-already-includes",
                details: ["meant": "firefox"]
            )
        }
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        let ending = parts.count == 2 ? String(parts[1]) : ""
        if siteEndings.contains(ending) || word.contains("/") {
            throw bad(word, meant: "site:\(host(word))")
        }
        return TokenItem(kind: .application, id: word)
    }

    private static func site(_ text: String) throws(Problem) -> TokenItem {
        let name = host(text)
        guard name == text.lowercased() else { throw bad("site:\(text)", meant: "site:\(name)") }
        return TokenItem(kind: .domain, id: name)
    }

    /// `reddit.com` of `https://reddit.com/r/linux`.
    private static func host(_ text: String) -> String {
        var rest = text[...]
        if let slashes = rest.firstIndex(of: "/"), rest[slashes...].hasPrefix("//") {
            rest = rest[rest.index(slashes, offsetBy: 2)...]
        }
        return rest.prefix { $0 != "/" && $0 != ":" }.lowercased()
    }

    private static func bad(_ word: String, meant: String) -> Problem {
        Problem(
            "usage.bad_subject",
            """
            “\(word, "word")” is not an app. Did you mean \(meant, "meant")? Write a site as \
            site:reddit.com, and a category as category:games.
            """,
            key: "usage.bad_subject.is-not-an",
            details: ["meant": meant]
        )
    }
}
