/// Texts from outside, before they are kept or repeated.
enum TextLimit {
    private static let shownMax = 80

    /// Without characters that do something to a terminal instead of being read.
    static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// Short enough for a sentence that quotes it.
    static func shown(_ text: String) -> String {
        let plain =
            isPlain(text) ? text : String(text.unicodeScalars.filter { $0.value >= 32 }.map(Character.init))
        return plain.count > shownMax ? "“\(plain.prefix(shownMax))…”" : "“\(plain)”"
    }
}
