import STPlatform

enum Language {
    /// Goes to pango as it is, so it must look like one.
    static func checked(_ text: String?) throws(Problem) -> String? {
        guard let text else { return nil }
        let isSound =
            text.utf8.count <= 35 && !text.isEmpty
            && text.utf8.allSatisfy {
                $0 < 0x80
                    && (Character(UnicodeScalar($0)).isLetter || (0x30...0x39).contains($0) || $0 == 0x2D
                        || $0 == 0x5F)
            }
        guard isSound else {
            throw Problem(
                "draw.bad_language",
                "The language is a code such as ko or en_US.",
                field: "/language"
            )
        }
        return text.replacing("_", with: "-")
    }
}
