import Glibc

/// A language of Screen Time's texts: English, or a language with a file of translations, such as `ko.po` or `pt_BR.po`.
package struct DisplayLanguage: Sendable, Hashable {
    package static let english = DisplayLanguage(name: "en")
    package static let korean = DisplayLanguage(name: "ko")

    /// English, and each language with a file of translations.
    package static let all: [DisplayLanguage] = {
        let folder = ProductFolder.find("languages", with: "") ?? ""
        let files = ((try? DirectoryTree.names(in: folder)) ?? []).filter { $0.hasSuffix(".po") }.sorted()
        return [english] + files.compactMap { DisplayLanguage(code: $0.dropLast(3)) }
    }()

    /// The name of the language's file without its extension.
    package let code: String

    private init(name: String) { code = name }

    /// Parses `ko`, `ko-KR` or `ko_KR.UTF-8`. Fails if the language has no translations.
    package init?(code tag: some StringProtocol) {
        let parts = tag.prefix { $0 != "." && $0 != "@" }.split(
            omittingEmptySubsequences: false
        ) { $0 == "_" || $0 == "-" }
        guard let base = parts.first?.lowercased(), (2...3).contains(base.utf8.count),
            parts.allSatisfy({ $0.utf8.count <= 8 && $0.allSatisfy { $0.isASCII && $0.isLetter } })
        else { return nil }
        let region =
            parts.dropFirst().last { $0.utf8.count == 2 }.map { ["\(base)_\($0.uppercased())"] } ?? []
        guard base != "en" else {
            self = .english
            return
        }
        guard let code = (region + [base]).first(where: { Translations.path($0) != nil }) else { return nil }
        self.code = code
    }

    /// The language of a tag. English if the tag is `nil` or its language has no translations.
    package init(of tag: String?) { self = tag.flatMap { DisplayLanguage(code: $0) } ?? .english }

    /// True if large numbers have names for powers of ten thousand.
    package var countsTenThousands: Bool { ["ja", "ko", "zh"].contains(code.prefix(2)) }
}

/// The language in which an account reads messages, from its environment.
package enum SessionLanguage {
    /// The language tag of an environment, such as `ko_KR` for `ko_KR.UTF-8`. `nil` if none is set, or the value is not a language
    /// (C, POSIX, or invalid).
    package static func tag(_ environment: [String: String]) -> String? {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }
        guard let name = names.first(where: { !$0.isEmpty }), let locale = tag(name) else { return nil }
        // As in gettext, `LANGUAGE` lists the preferred languages, unless the locale is C.
        let wanted = (environment["LANGUAGE"] ?? "").split(separator: ":").compactMap { tag(String($0)) }
        return wanted.first { DisplayLanguage(code: $0) != nil } ?? wanted.first ?? locale
    }

    /// The language tag in the value of one variable. `nil` if it is not a language.
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
