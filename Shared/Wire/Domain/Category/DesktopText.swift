/// What a desktop entry says, made fit to be shown: anybody can write one.
enum DesktopText {
    /// Without escapes, control characters and what turns the order of characters round, short; nil when nothing is left.
    static func plain(_ text: String) -> String? {
        // Nothing that long is a name; what is cut off below is counted in what remains.
        guard text.utf8.count <= DesktopEntry.textBytesMax * 4 else { return nil }
        var result = String.UnicodeScalarView()
        var bytes = 0
        var isEscaped = false
        for scalar in text.unicodeScalars {
            var scalar = scalar
            if isEscaped {
                // A line end, a tab: in a name all of them are a blank.
                scalar = scalar == "\\" ? scalar : " "
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
                continue
            } else if isHostile(scalar) {
                continue
            }
            result.append(scalar)
            bytes += UTF8.width(scalar)
            if bytes > DesktopEntry.textBytesMax { return nil }
        }
        let name = String(result)
        return name.contains { !$0.isWhitespace } ? name : nil
    }

    static func isHarmless(_ text: String) -> Bool { !text.unicodeScalars.contains(where: isHostile) }

    private static func isHostile(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F: false
        // The joiners of emoji and of Persian words are no harm.
        case 0x200C, 0x200D: false
        // Tags, by which text can be hidden.
        case 0xE0000...0xE007F: true
        default:
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
            default: false
            }
        }
    }
}
