import STPlatform

/// What the lab must know of Swift files without compiling them: imports, classes and their superclasses, `@main`, and texts.
struct SourceScan: Sendable {
    private(set) var imports: Set<String> = []
    /// Of each class and structure: its first parent.
    private(set) var parents: [String: String] = [:]
    private(set) var hasMain = false
    /// Whether it has a `#Preview`.
    private(set) var hasPreview = false
    /// Whether a shield of its code has a second button.
    private(set) var hasSecondaryButton = false
    /// Its string literals that have no interpolation.
    private(set) var literals: Set<String> = []
    /// The keys of defaults that it reads, with the methods that it reads them by, such as `integer`.
    private(set) var reads: [String: String] = [:]
    /// Of each type: the texts that values of it are made of, such as `DeviceActivityName("daily")`.
    private(set) var names: [String: Set<String>] = [:]

    init(_ sources: [[UInt8]]) {
        for source in sources { read(Self.words(source)) }
    }

    /// Words and signs, without comments; a text begins with its quote.
    private static func words(_ source: [UInt8]) -> [Substring] {
        var text = Bytes(source, "")
        var words: [Substring] = []
        while let byte = text.next {
            if text.skip(Array("//".utf8)) {
                _ = text.take { $0 != 10 }
            } else if text.skip(Array("/*".utf8)) {
                skipComment(&text)
            } else if byte == UInt8(ascii: "\"") {
                words.append("\"" + (literal(&text) ?? ""))
            } else if isWord(byte) {
                words.append(text.take(while: isWord)[...])
            } else {
                _ = text.take()
                if byte > 32 { words.append(Substring(Character(Unicode.Scalar(byte)).description)) }
            }
        }
        return words
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte >= 128 || byte == UInt8(ascii: "_") || (97...122).contains(byte) || (65...90).contains(byte)
            || (48...57).contains(byte)
    }

    /// Swift's comments may hold others.
    private static func skipComment(_ text: inout Bytes) {
        var depth = 1
        while depth > 0, text.next != nil {
            if text.skip(Array("/*".utf8)) {
                depth += 1
            } else if text.skip(Array("*/".utf8)) {
                depth -= 1
            } else {
                _ = text.take()
            }
        }
    }

    /// Nil for one of several lines, and for one with a value in it.
    private static func literal(_ text: inout Bytes) -> String? {
        if text.skip(Array("\"\"\"".utf8)) {
            _ = try? text.take(until: "\"\"\"")
            return nil
        }
        _ = text.take()
        var bytes: [UInt8] = []
        var isPlain = true
        while let byte = text.take(), byte != UInt8(ascii: "\""), byte != 10 {
            if byte == UInt8(ascii: "\\") {
                if text.take() == UInt8(ascii: "(") {
                    isPlain = false
                    skipValue(&text)
                }
                continue
            }
            bytes.append(byte)
        }
        return isPlain ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// Past the value within a text, which may hold texts.
    private static func skipValue(_ text: inout Bytes) {
        var depth = 1
        while depth > 0, let byte = text.next, byte != 10 {
            if byte == UInt8(ascii: "\"") {
                _ = literal(&text)
                continue
            }
            _ = text.take()
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth -= 1 }
        }
    }

    private mutating func read(_ words: [Substring]) {
        // The type that the braces around belong to, by their depth.
        var extended: (type: String, depth: Int)?
        var depth = 0
        let kinds: Set<Substring> = [
            "class", "struct", "enum", "protocol", "func", "var", "let", "typealias",
        ]
        for (index, word) in words.enumerated() {
            let rest = words[(index + 1)...]
            switch word {
            case "import":
                // `import struct Foundation.URL`
                let name = rest.first.map { kinds.contains($0) ? rest.dropFirst().first : $0 } ?? nil
                if let name { imports.insert(String(name)) }
            case "{": depth += 1
            case "}":
                depth -= 1
                if let type = extended, depth <= type.depth { extended = nil }
            case "extension":
                let type = rest.prefix { $0 == "." || Self.isWord($0.utf8.first ?? 0) }.joined()
                extended = (type, depth)
            case "(": readName(words, at: index, in: extended?.type)
            case _ where word.first == "\"": literals.insert(String(word.dropFirst()))
            case "main" where index > 0 && words[index - 1] == "@": hasMain = true
            case "Preview" where index > 0 && words[index - 1] == "#": hasPreview = true
            case "secondaryButtonLabel": hasSecondaryButton = true
            case "class", "struct":
                guard let name = rest.first, let colon = rest.dropFirst().first, colon == ":" else {
                    continue
                }
                // The last part of `DeviceActivity.DeviceActivityMonitor`.
                let parent = rest.dropFirst(2).prefix { $0 == "." || Self.isWord($0.utf8.first ?? 0) }.last
                if let parent { parents[String(name)] = String(parent) }
            default: continue
            }
        }
    }

    /// `Type("name")`, `Type(rawValue: "name")`, and `Self("name")` or `.init("name")` in an extension of the type.
    private mutating func readName(_ words: [Substring], at bracket: Int, in extended: String?) {
        var inside = words[(bracket + 1)...]
        if inside.first == "forKey", let key = inside.dropFirst(2).first, key.first == "\"", key.count > 1,
            bracket > 1, words[bracket - 2] == "."
        {
            reads[String(key.dropFirst())] = String(words[bracket - 1])
        }
        if inside.first == "rawValue" { inside = inside.dropFirst(2) }
        guard let text = inside.first, text.first == "\"", text.count > 1 else { return }
        var type = ""
        var start = bracket
        while start > 0, words[start - 1] == "." || Self.isWord(words[start - 1].utf8.first ?? 0) {
            start -= 1
            type = words[start] + type
        }
        let isOwn = ["Self", "init", ".init"].contains(type)
        names[isOwn ? extended ?? "" : type, default: []].insert(String(text.dropFirst()))
    }

    /// The class that descends from `ancestor`, over others in between; the most derived one.
    func descendants(of ancestor: String) -> [String] {
        let all = parents.keys.filter { name in
            var parent = parents[name]
            var steps = parents.count
            while let found = parent, found != ancestor, steps > 0 {
                parent = parents[found]
                steps -= 1
            }
            return parent == ancestor
        }
        return all.filter { name in !parents.contains { $0.value == name } }.sorted()
    }
}
