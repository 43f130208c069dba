/// Text for XML, HTML and the bodies of notifications.
package enum Markup {
    /// Writes the five special characters of markup as entities, so that `<b>` is shown as it was written.
    ///
    /// `other` appends the replacement of each other character, or nothing.
    package static func escaped(
        _ text: String,
        other: (Unicode.Scalar, inout String) -> Void = { $1.unicodeScalars.append($0) }
    ) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            // By name, not by number: GNOME's notifications support these five names and no numbers.
            case "'": result += "&apos;"
            default: other(scalar, &result)
            }
        }
        return result
    }
}
