package import STContracts
package import STPlatform

/// Parses `firefox`, `category:social` and `site:reddit.com` in the same way for all commands.
package enum SubjectReader {
    /// The word for all use of the computer, in place of subjects.
    package static let everything = "everything"

    private static let prefixes = ["category", "site"]
    /// A word with one of these endings is more likely a site than an app, because the ids of apps are longer.
    private static let siteEndings: Set<String> = [
        "com", "org", "net", "tv", "io", "de", "kr", "me", "gg", "co", "app", "dev",
    ]

    /// Parses the words. `front` and `back` are the words around them on the line, for the advice of a problem.
    package static func items(_ words: [String], after front: String, before back: String? = nil)
        throws(Problem) -> [TokenItem]
    {
        if words == [everything] { return [] }
        var items: [TokenItem] = []
        for (index, word) in words.enumerated() {
            do {
                items.append(try item(word))
            } catch {
                // The line to type next contains the word that was meant in its place, and all other words as typed.
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

    /// Returns the host of an address: `reddit.com` for `https://reddit.com/r/linux`.
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
