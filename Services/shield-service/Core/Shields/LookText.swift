import STPlatform

/// A text of an app, made fit to be drawn.
enum LookText {
    enum Fault: String {
        case controlCharacters = "control_characters"
        case tooLong = "too_long"
        case tooManyLines = "too_many_lines"
    }

    /// On one line where it stands on a button.
    static func cleaned(_ text: String, isOneLine: Bool) -> (text: String, faults: [Fault]) {
        var faults: [Fault] = []
        // Long ones are cut first, so that nothing below works on a megabyte.
        let isLong = text.utf8.count > LookLimits.textBytes
        var scalars = String.UnicodeScalarView()
        for scalar in (isLong ? String(text.prefix(LookLimits.textBytes + 1)) : text).unicodeScalars {
            switch scalar.value {
            case 0x0A, 0x2028, 0x2029: scalars.append(isOneLine ? " " : "\n")
            // The line feed that belongs to it follows, or did not matter.
            case 0x0D: continue
            case 0x09: scalars.append(" ")
            case _ where isControl(scalar):
                if !faults.contains(.controlCharacters) { faults.append(.controlCharacters) }
            default: scalars.append(scalar)
            }
        }
        var result = String(scalars)
        if !isOneLine {
            let lines = result.split(separator: "\n", omittingEmptySubsequences: false)
            if lines.count > LookLimits.textLines {
                result = lines.prefix(LookLimits.textLines).joined(separator: "\n")
                faults.append(.tooManyLines)
            }
        }
        if isLong || result.utf8.count > LookLimits.textBytes {
            result = TextFormat.fitting(result, bytes: LookLimits.textBytes)
            faults.append(.tooLong)
        }
        return (result, faults)
    }

    /// Also those that turn the direction of text around, as they can make it say something else.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: scalar.properties.generalCategory == .control
        }
    }
}
