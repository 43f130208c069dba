/// The sentences in Swift source: concatenated string literals, in which each interpolation becomes a numbered placeholder.
struct SourceSentences {
    private let source: [UInt8]

    init(_ text: String) { source = Array(text.utf8) }

    /// A message in the source: a call of `say`, `text`, `Message` or `Problem`, or a text in the command table.
    struct Message: Equatable {
        var key: String
        /// The English text, such as `{app} opens again at {time}.`
        var text: String
        /// The text for the number 1, if the message depends on a number.
        var one: String?
        var line: Int
        /// True for calls of `say` and `text`, which return text for display.
        var isShown = false
        /// The fault of the call.
        var fault: String?
    }

    /// The messages of the source. `hasCommands`: it may contain rows of the command table.
    func messages(hasCommands: Bool = true) -> [Message] { texts() + (hasCommands ? help() : []) }

    /// The help texts in the command table. Their default keys come from the names of commands, subjects and options.
    private func help() -> [Message] {
        ["Command(", "Option(", "Subject(", ".init("].flatMap { call in
            calls(of: Array(call.utf8)).compactMap { start, arguments in
                let labelled = Dictionary(
                    arguments.map { label($0) },
                    uniquingKeysWith: { first, _ in first }
                )
                let plain = arguments.filter { ["", "value", "place", "summary"].contains(label($0).0) }.map {
                    label($0).1
                }
                guard plain.count > 1, let first = plain.first.map({ trimmed($0) }), let last = plain.last
                else { return nil }
                let key: String
                if call == "Command(" {
                    guard byte(first.lowerBound) == 0x5B else { return nil }
                    let words = split((first.lowerBound + 1)..<(first.upperBound - 1), at: ",").compactMap {
                        self.plain($0)
                    }
                    key = "help." + (words.isEmpty ? "today" : words.joined(separator: "-"))
                } else if let name = self.plain(first), byte(first.lowerBound) == 0x22 {
                    guard byte(trimmed(last).lowerBound) == 0x22 else { return nil }
                    let word = String(name.lowercased().map { $0.isLetter ? $0 : "-" })
                    key = name.hasPrefix("--") ? "help.\(name)" : "help.arg-\(word)"
                } else {
                    let places = [".file": "file", ".folder": "folder", ".address": "url"]
                    guard let place = places[text(first)] else { return nil }
                    key = "help.arg-\(place)"
                }
                let template = template(last)
                return Message(
                    key: labelled["key"].flatMap { self.plain($0) } ?? key,
                    text: template ?? "",
                    one: nil,
                    line: line(start),
                    fault: template == nil ? Self.unread : nil
                )
            }
        }
    }

    private static let unread = "The English text is not one literal in which each value has a name."

    private func texts() -> [Message] {
        ["say(", "text(", "Message(", "Problem("].flatMap { call in
            calls(of: Array(call.utf8)).compactMap { start, arguments in
                let labelled = Dictionary(
                    arguments.dropFirst().map { label($0) },
                    uniquingKeysWith: { first, _ in first }
                )
                if let text = labelled["verbatim"], isSentence(text) {
                    return Message(
                        key: "verbatim",
                        text: "",
                        line: line(start),
                        fault:
                            "This is a finished sentence. Give it a key, and names to its values."
                    )
                }
                guard labelled["verbatim"] == nil, labelled["text"] == nil,
                    let key = (labelled["key"] ?? arguments.first).flatMap({ plain($0) }),
                    !key.isEmpty, key.utf8.allSatisfy(Self.isKeyPart),
                    call == "Problem(" || key.contains("."),
                    let value = labelled["other"] ?? labelled[""]
                else { return nil }
                let text = template(value)
                let one = labelled["one"].map { template($0) ?? "" }
                let isRead = text != nil && one != ""
                return Message(
                    key: key,
                    text: text ?? "",
                    one: one,
                    line: line(start),
                    isShown: call == "say(" || call == "text(",
                    fault: isRead
                        ? nil : Self.unread
                )
            }
        }
    }

    private func line(_ index: Int) -> Int { source[..<index].count { $0 == 0x0A } + 1 }

    /// True for a literal with words that is neither a command nor only values.
    private func isSentence(_ range: Range<Int>) -> Bool {
        let range = trimmed(range)
        guard byte(range.lowerBound) == 0x22, let literal = string(range.lowerBound) else { return false }
        if case .text(let text) = literal.pieces.first,
            ["screentime ", "sudo "].contains(where: text.hasPrefix)
        {
            return false
        }
        return literal.pieces.contains {
            if case .text(let text) = $0 { text.contains(where: \.isLetter) } else { false }
        }
    }

    /// The calls of a function outside comments, with the start and the arguments of each.
    private func calls(of call: [UInt8]) -> [(start: Int, arguments: [Range<Int>])] {
        source.indices.compactMap { index in
            guard source[index] == call[0], source[index...].starts(with: call),
                index == 0 || !Self.isNamePart(source[index - 1]) || source[index - 1] == 0x2E,
                !isComment(index), let end = closing(index + call.count - 1)
            else { return nil }
            return (index, split((index + call.count)..<(end - 1), at: ","))
        }
    }

    /// All literals of the text that are sentences or parts of them.
    func literals() -> [String] { literals(in: 0..<source.count).flatMap { sentences(in: $0) } }

    /// The text of a literal without values.
    private func plain(_ range: Range<Int>) -> String? {
        let text = template(range)
        return text?.contains("{") == true ? nil : text
    }

    /// Splits an argument such as `one: "1 app"` into its label and its value. The label is empty if the argument has none.
    private func label(_ range: Range<Int>) -> (String, Range<Int>) {
        let range = trimmed(range)
        let name = source[range].prefix { Self.isNamePart($0) && $0 != 0x22 }
        guard !name.isEmpty, byte(name.endIndex) == 0x3A else { return ("", range) }
        return (text(name.startIndex..<name.endIndex), (name.endIndex + 1)..<range.upperBound)
    }

    /// The text of a literal, with the name of each value in braces. Nil if it is not a literal, or a value has no name.
    private func template(_ range: Range<Int>) -> String? {
        let range = trimmed(range)
        guard byte(range.lowerBound) == 0x22, let literal = string(range.lowerBound),
            literal.end == range.upperBound
        else { return nil }
        var values: [String: String] = [:]
        var result = ""
        for piece in literal.pieces {
            switch piece {
            case .text(let text): result += text
            case .code(let code):
                let parts = split(code, at: ",")
                guard parts.count == 2, let name = plain(parts[1]), !name.isEmpty,
                    values.updateValue(text(parts[0]), forKey: name) ?? text(parts[0]) == text(parts[0])
                else { return nil }
                result += "{\(name)}"
            }
        }
        return result
    }

    // MARK: - Expressions

    private func sentences(in range: Range<Int>) -> [String] {
        let range = trimmed(range)
        let ternary = split(range, at: "?", spaced: true)
        if ternary.count == 2, byte(ternary[0].lowerBound) != 0x22 {
            let branches = split(ternary[1], at: ":", spaced: true)
            if branches.count == 2 { return branches.flatMap { sentences(in: $0) } }
        }
        var sentence = ""
        var holes = 0
        var inside: [Range<Int>] = []
        var hasLiteral = false
        for part in split(range, at: "+") {
            let part = trimmed(part)
            if byte(part.lowerBound) == 0x22, string(part.lowerBound)?.end == part.upperBound,
                let pieces = string(part.lowerBound)?.pieces
            {
                hasLiteral = true
                for piece in pieces {
                    switch piece {
                    case .text(let text): sentence += text
                    case .code(let code):
                        holes += 1
                        sentence += "{\(holes)}"
                        inside.append(code)
                    }
                }
            } else {
                holes += 1
                sentence += "{\(holes)}"
                inside.append(part)
            }
        }
        let own = hasLiteral ? [sentence] : []
        return own
            + inside.flatMap { part in
                (literals(in: part) + [definition(of: part)].compactMap(\.self)).flatMap { sentences(in: $0) }
            }
    }

    /// The value of a name that was defined just before: `let near = …`, to the end of that statement.
    private func definition(of name: Range<Int>) -> Range<Int>? {
        let word = source[name]
        guard !word.isEmpty, word.allSatisfy({ Self.isNamePart($0) && $0 != 0x2E && $0 != 0x22 }) else {
            return nil
        }
        for keyword in ["let ", "var "] {
            let start = Array((keyword + text(name) + " =").utf8)
            // Within the same function.
            var index = name.lowerBound
            while index > max(0, name.lowerBound - 3_000) {
                index -= 1
                guard source[index] == start[0], source[index...].starts(with: start) else { continue }
                let line = source[..<index].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
                let indent = index - line
                var end = lineEnd(index)
                while end < source.count, depth(of: end + 1) > indent { end = lineEnd(end + 1) }
                // A name within its own definition has no value.
                return end <= name.lowerBound ? (index + start.count)..<end : nil
            }
        }
        return nil
    }

    /// Indentation of a line. An empty line ends the lines above it.
    private func depth(of line: Int) -> Int { source[min(line, source.count)...].prefix { $0 == 0x20 }.count }

    private func literals(in range: Range<Int>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = range.lowerBound
        while index < range.upperBound {
            if isCommentStart(index) {
                index = lineEnd(index)
            } else if byte(index) == 0x22, var end = string(index)?.end {
                // Literals that `+` concatenates are one sentence.
                while let next = literal(addedBehind: end), let last = string(next)?.end { end = last }
                found.append(index..<end)
                index = end
            } else {
                index += 1
            }
        }
        return found
    }

    private func literal(addedBehind end: Int) -> Int? {
        guard let plus = source[end...].firstIndex(where: { !Self.isBlank($0) }), byte(plus) == 0x2B,
            let next = source[(plus + 1)...].firstIndex(where: { !Self.isBlank($0) }), byte(next) == 0x22
        else { return nil }
        return next
    }

    // MARK: - Reading

    private enum Piece {
        case text(String)
        case code(Range<Int>)
    }

    /// The literal that begins at this position.
    private func string(_ start: Int) -> (pieces: [Piece], end: Int)? {
        if byte(start + 1) == 0x22, byte(start + 2) == 0x22 { return lines(start) }
        var pieces: [Piece] = []
        var bytes: [UInt8] = []
        var index = start + 1
        while index < source.count, byte(index) != 0x22 {
            guard byte(index) == 0x5C else {
                bytes.append(source[index])
                index += 1
                continue
            }
            if byte(index + 1) == 0x28 {
                guard let end = closing(index + 1) else { return nil }
                pieces += [.text(String(decoding: bytes, as: UTF8.self)), .code((index + 2)..<(end - 1))]
                bytes = []
                index = end
            } else {
                bytes.append(byte(index + 1) == 0x6E ? 0x0A : byte(index + 1))
                index += 2
            }
        }
        return index < source.count
            ? (pieces + [.text(String(decoding: bytes, as: UTF8.self))], index + 1) : nil
    }

    /// The multi-line literal that begins at this position.
    private func lines(_ start: Int) -> (pieces: [Piece], end: Int)? {
        var pieces: [Piece] = []
        var bytes: [UInt8] = []
        var index = lineEnd(start) + 1
        let indent = source[min(index, source.count)...].prefix { $0 == 0x20 }.count
        index += indent
        while index < source.count {
            switch (byte(index), byte(index + 1)) {
            case (0x22, 0x22) where byte(index + 2) == 0x22:
                if bytes.last == 0x0A { bytes.removeLast() }
                return (pieces + [.text(String(decoding: bytes, as: UTF8.self))], index + 3)
            case (0x5C, 0x28):
                guard let end = closing(index + 1) else { return nil }
                pieces += [.text(String(decoding: bytes, as: UTF8.self)), .code((index + 2)..<(end - 1))]
                bytes = []
                index = end
            case (0x5C, 0x0A), (0x0A, _):
                if byte(index) == 0x0A { bytes.append(0x0A) }
                index = lineEnd(index) + 1
                index += min(indent, source[min(index, source.count)...].prefix { $0 == 0x20 }.count)
            case (0x5C, let escaped):
                bytes.append(escaped == 0x6E ? 0x0A : escaped)
                index += 2
            default:
                bytes.append(byte(index))
                index += 1
            }
        }
        return nil
    }

    /// The position after the bracket that closes the one at `start`.
    private func closing(_ start: Int) -> Int? {
        var depth = 0
        var index = start
        while index < source.count {
            if isCommentStart(index) {
                index = lineEnd(index)
                continue
            }
            switch byte(index) {
            case 0x22:
                guard let end = string(index)?.end else { return nil }
                index = end
                continue
            case 0x28, 0x5B, 0x7B: depth += 1
            case 0x29, 0x5D, 0x7D:
                depth -= 1
                if depth == 0 { return index + 1 }
            default: break
            }
            index += 1
        }
        return nil
    }

    /// Splits the range at a mark outside of brackets and literals. With `spaced`, the mark has blanks on both sides.
    private func split(_ range: Range<Int>, at mark: Unicode.Scalar, spaced: Bool = false) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = range.lowerBound
        var index = start
        while index < range.upperBound {
            if isCommentStart(index) {
                index = lineEnd(index)
            } else if byte(index) == 0x22, let end = string(index)?.end {
                index = end
            } else if [0x28, 0x5B, 0x7B].contains(byte(index)), let end = closing(index) {
                index = end
            } else {
                if byte(index) == UInt8(mark.value),
                    !spaced || Self.isBlank(byte(index - 1)) && Self.isBlank(byte(index + 1))
                {
                    parts.append(start..<index)
                    start = index + 1
                }
                index += 1
            }
        }
        return parts + [start..<max(start, range.upperBound)]
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, Self.isBlank(byte(start)) || isCommentStart(start) {
            start = isCommentStart(start) ? lineEnd(start) : start + 1
        }
        while end > start, Self.isBlank(byte(end - 1)) { end -= 1 }
        return start..<end
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: source[trimmed(range)], as: UTF8.self)
    }

    private func byte(_ index: Int) -> UInt8 { source.indices.contains(index) ? source[index] : 0 }

    private func isCommentStart(_ index: Int) -> Bool { byte(index) == 0x2F && byte(index + 1) == 0x2F }

    /// True if this position is in a comment line.
    private func isComment(_ index: Int) -> Bool {
        let start = source[..<index].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let first = source[start..<index].first { !Self.isBlank($0) }
        return first == 0x2F
    }

    private func lineEnd(_ index: Int) -> Int { source[index...].firstIndex(of: 0x0A) ?? source.count }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A }

    private static func isKeyPart(_ byte: UInt8) -> Bool {
        byte == 0x2D || byte == 0x2E || byte == 0x5F || (0x30...0x39).contains(byte)
            || (0x61...0x7A).contains(byte)
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        byte == 0x2E || byte == 0x22 || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
