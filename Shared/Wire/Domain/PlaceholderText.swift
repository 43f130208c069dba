/// A person's own text with placeholders in braces: `{left} of {app} are left`.
package enum PlaceholderText {
    /// Replaces each placeholder, in one pass. Braces in values, and names without a value, stay unchanged.
    package static func filled(_ text: String, _ values: [String: String]) -> String {
        guard !values.isEmpty else { return text }
        var result = ""
        var rest = text[...]
        while let close = rest.firstIndex(of: "}") {
            // The last one before it, so that in `{{app}` the inner brace counts.
            guard let open = rest[..<close].lastIndex(of: "{") else {
                result += rest[...close]
                rest = rest[rest.index(after: close)...]
                continue
            }
            let name = String(rest[rest.index(after: open)..<close])
            result += rest[..<open]
            result += values[name] ?? String(rest[open...close])
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}
