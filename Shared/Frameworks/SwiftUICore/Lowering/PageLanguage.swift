/// The language of a page, as a page has it.
package enum PageLanguage {
    /// English, in which everything is there.
    package static let standard = "en"

    /// `en-US` of `en_US.UTF-8`; English where no language is named, such as by `C` or `POSIX`.
    package static func tag(_ name: String) -> String {
        let words = name.prefix { $0 != "." && $0 != "@" }.split { $0 == "_" || $0 == "-" }
        let tag = words.filter { $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } }
            .joined(separator: "-")
        let isLanguage = (2...3).contains(words.first?.count ?? 0) && (2...35).contains(tag.utf8.count)
        return isLanguage ? tag : standard
    }
}
