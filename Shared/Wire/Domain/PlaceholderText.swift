/// A person's own words with things that stand in braces: `{left} of {app} are left`.
package enum PlaceholderText {
    /// Each in its place, in one pass: braces in a value stay as they are, and so do names that have none.
    package static func filled(_ text: String, _ values: [String: String]) -> String {
        guard !values.isEmpty else { return text }
        var result = ""
        var rest = text[...]
        while let close = rest.firstIndex(of: "}") {
            // The last one before it: of `{{app}` the inner one is meant.
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
