import STPlatform

/// The language that a command speaks or asks for: `--language`, else the person's own.
enum LanguageOption {
    private static let codeBytesMax = 35

    /// A tag as pages and apps have it, `en-US` also where somebody has `en_US`; nil where neither says anything.
    static func read(_ invocation: Invocation) throws(Problem) -> String? {
        guard let text = invocation.value("--language") else { return own(invocation.environment) }
        guard isLanguage(text) else {
            throw Problem(
                "usage.bad_language",
                "--language is “\(text)”, and wants a code such as ko or en_US.",
                help: "--language ko"
            )
        }
        return tag(text)
    }

    private static func tag(_ text: String) -> String { text.replacing("_", with: "-") }

    private static func own(_ environment: [String: String]) -> String? {
        SessionLanguage.tag(environment).flatMap { isLanguage($0) ? tag($0) : nil }
    }

    /// `ko`, `en_US`, `zh-Hant-TW`.
    private static func isLanguage(_ text: String) -> Bool {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        guard text.utf8.count <= codeBytesMax, let first = parts.first, (2...3).contains(first.count) else {
            return false
        }
        let isLetter = { (byte: UInt8) in (0x41...0x5A).contains(byte & 0xDF) }
        return first.utf8.allSatisfy(isLetter)
            && parts.dropFirst().allSatisfy { part in
                (1...8).contains(part.count)
                    && part.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
            }
    }
}
