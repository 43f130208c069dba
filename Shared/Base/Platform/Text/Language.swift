/// The languages of the product's own texts.
package enum WordLanguage: String, Sendable, CaseIterable {
    case english = "en"
    case korean = "ko"

    /// From `ko`, `ko-KR` or `ko_KR.UTF-8`; nil for any other language.
    package init?(code: some StringProtocol) {
        self.init(rawValue: code.prefix { $0.isASCII && $0.isLetter }.lowercased())
    }

    /// English when the tag names another language, or none.
    package init(of tag: String?) { self = tag.flatMap { WordLanguage(code: $0) } ?? .english }

    package func pick<Words>(_ english: Words, _ korean: Words) -> Words {
        self == .korean ? korean : english
    }
}

/// The language in which an account reads messages, from its environment.
package enum SessionLanguage {
    /// `ko_KR` from `ko_KR.UTF-8`; nil when nothing is set, or the value is not a language (C, POSIX, a broken one).
    package static func tag(_ environment: [String: String]) -> String? {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }
        guard let name = names.first(where: { !$0.isEmpty }) else { return nil }
        return tag(name)
    }

    /// The same for the value of one variable.
    package static func tag(_ name: String) -> String? {
        let tag = name.prefix { $0 != "." && $0 != "@" }
        guard !tag.isEmpty, tag.utf8.count <= bytesMax, tag != "C", tag != "POSIX",
            tag.unicodeScalars.allSatisfy(isPlain)
        else { return nil }
        return String(tag)
    }

    private static let bytesMax = 35

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            || scalar == "_" || scalar == "-"
    }
}
