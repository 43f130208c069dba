/// How long the functions of a file are, by its indentation, which the formatter guarantees.
enum FunctionLengths {
    static func of(_ lines: [Substring]) -> [(line: Int, count: Int)] {
        lines.indices.compactMap { start in
            guard let indent = indentation(ofFunction: lines[start]) else { return nil }
            let closing = String(repeating: " ", count: indent) + "}"
            guard let end = lines[(start + 1)...].firstIndex(where: { $0.hasPrefix(closing) }) else {
                return nil
            }
            // Something else at this depth before the end: a requirement or a one-liner, which has no body here.
            let isOther = lines[(start + 1)..<end].contains { line in
                !line.isEmpty && line.prefix { $0 == " " }.count <= indent
                    && !line.hasPrefix(String(repeating: " ", count: indent) + ")")
                    && !line.hasPrefix(String(repeating: " ", count: indent) + "{")
                    && !line.hasPrefix(String(repeating: " ", count: indent) + "->")
            }
            return isOther ? nil : (start + 1, end - start + 1)
        }
    }

    private static func indentation(ofFunction line: Substring) -> Int? {
        let words = line.split(separator: " ")
        let modifiers: Set<Substring> = [
            "package", "private", "fileprivate", "static", "mutating", "nonisolated", "final", "consuming",
            "convenience", "required", "override", "public", "async",
        ]
        let first = words.first { !modifiers.contains($0) && !$0.hasPrefix("@") }
        guard let first, first == "func" || first.hasPrefix("init(") || first.hasPrefix("init<") else {
            return nil
        }
        return line.prefix { $0 == " " }.count
    }
}
