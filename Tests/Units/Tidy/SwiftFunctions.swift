/// The functions of a file, found by the indentation, which the formatter guarantees.
struct SwiftFunction {
    var line: Int
    var name: String
    /// True if the function has the attribute `@Test`.
    var isTest: Bool
    /// From its first line to its closing brace.
    var text: [Substring]

    static func all(_ lines: [Substring]) -> [SwiftFunction] {
        lines.indices.compactMap { start in
            guard let name = name(lines[start]), let end = end(lines, start) else { return nil }
            return SwiftFunction(
                line: start + 1,
                name: name,
                isTest: isTest(lines, start),
                text: Array(lines[start...end])
            )
        }
    }

    /// The names of functions that the body calls, with parentheses or with a closure.
    var calls: Set<String> {
        var calls: Set<String> = []
        for (index, line) in text.enumerated() {
            var word = ""
            let code = index == 0 ? line.drop { $0 != "(" } : line
            for (place, character) in zip(code.indices, code) {
                if character.isLetter || character.isNumber || character == "_" {
                    word.append(character)
                    continue
                }
                if character == "(" || code[place...].hasPrefix(" {") { calls.insert(word) }
                word = ""
            }
        }
        return calls.subtracting([""])
    }

    private static func indent(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }

    private static func end(_ lines: [Substring], _ start: Int) -> Int? {
        if lines[start].hasSuffix("}") { return start }
        let indent = String(repeating: " ", count: indent(lines[start]))
        guard let end = lines[(start + 1)...].firstIndex(where: { $0.hasPrefix(indent + "}") }) else {
            return nil
        }
        // Any other line at this depth before the end means that the declaration is a requirement without a body.
        let isOther = lines[(start + 1)..<end].contains { line in
            !line.isEmpty && Self.indent(line) <= indent.count
                && ![")", "{", "->"].contains { line.hasPrefix(indent + $0) }
        }
        return isOther ? nil : end
    }

    private static func name(_ line: Substring) -> String? {
        let words = line.split(separator: " ")
        let modifiers: Set<Substring> = [
            "package", "private", "fileprivate", "static", "mutating", "nonisolated", "final", "consuming",
            "convenience", "required", "override", "public", "async",
        ]
        guard let first = words.firstIndex(where: { !modifiers.contains($0) && !$0.hasPrefix("@") }) else {
            return nil
        }
        if words[first].hasPrefix("init(") || words[first].hasPrefix("init<") { return "init" }
        guard words[first] == "func", first + 1 < words.count else { return nil }
        return String(words[first + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }

    private static func isTest(_ lines: [Substring], _ start: Int) -> Bool {
        if lines[start].contains("@Test") { return true }
        let depth = indent(lines[start])
        let mark = String(repeating: " ", count: depth) + "@Test"
        for line in lines[..<start].reversed() {
            if line.hasPrefix(mark) { return true }
            // The end of the function's attributes.
            if line.isEmpty || indent(line) == depth && !line.drop(while: { $0 == " " }).hasPrefix(")") {
                return false
            }
        }
        return false
    }
}
