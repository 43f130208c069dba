/// The languages that we have words of our own in.
package enum WordLanguage: String, Sendable, CaseIterable {
    case english = "en"
    case korean = "ko"

    /// Of `ko`, `ko-KR`, `ko_KR.UTF-8`; nil for any other language.
    package init?(code: some StringProtocol) {
        self.init(rawValue: code.prefix { $0.isASCII && $0.isLetter }.lowercased())
    }

    /// English for whoever reads neither, and where nobody says what they read.
    package init(of tag: String?) { self = tag.flatMap { WordLanguage(code: $0) } ?? .english }

    package func pick<Words>(_ english: Words, _ korean: Words) -> Words {
        self == .korean ? korean : english
    }
}
