import STPlatform

/// What the lab must know of Swift files without compiling them: imports, classes and their superclasses, `@main`, and texts.
struct SourceScan: Sendable {
    private static let generationsMax = 16
    private static let nestingMax = 64
    /// The parts of a type's name, such as three of `A.B.C`.
    private static let partsMax = 8

    private(set) var imports: Set<String> = []
    /// Of each class and structure: its first parent.
    private(set) var parents: [String: String] = [:]
    private(set) var hasMain = false
    /// Those of `#Preview` and `@Model` that it has.
    private(set) var macros: Set<String> = []
    /// Whether a shield of its code has a second button.
    private(set) var hasSecondaryButton = false
    /// Its string literals that have no interpolation.
    private(set) var literals: Set<String> = []
    /// The keys of defaults that it reads, with the methods that it reads them by, such as `integer`.
    private(set) var reads: [String: String] = [:]
    /// Of each type: the texts that values of it are made of, such as `DeviceActivityName("daily")`.
    private(set) var names: [String: Set<String>] = [:]

    /// Modules that it asks for before it imports them.
    private(set) var guarded: Set<String> = []

    var certain: Set<String> { imports.subtracting(guarded) }

    mutating func add(_ source: [UInt8]) { read(Self.words(source)) }

    /// The text where it needs another word here, in the same lines: Swift has no `@objc` without Objective-C, and
    /// DeviceActivity's report is in a module of its own, which monitors do not load.
    static func adapted(_ source: [UInt8]) -> String? {
        let text = String(decoding: source, as: UTF8.self)
        guard text.contains("@objc") || text.contains("DeviceActivity.DeviceActivityReport") else {
            return nil
        }
        return
            text
            .replacing(/@objc(Members)?(\([^()\n]*\))?/) { String(repeating: " ", count: $0.output.0.count) }
            .replacing(/\bDeviceActivity\.(DeviceActivityReport)/) { $0.output.1 }
    }

    /// Words and signs, without comments; a text begins with its quote.
    static func words(_ source: [UInt8]) -> [Substring] {
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

    /// Nil for one of several lines, and for one with a value or an escape in it.
    private static func literal(_ text: inout Bytes, _ depth: Int = 0) -> String? {
        if text.skip(Array("\"\"\"".utf8)) {
            _ = try? text.take(until: "\"\"\"")
            return nil
        }
        _ = text.take()
        var bytes: [UInt8] = []
        var isPlain = true
        while let byte = text.take(), byte != UInt8(ascii: "\""), byte != 10 {
            if byte == UInt8(ascii: "\\") {
                isPlain = false
                if text.take() == UInt8(ascii: "(") { skipValue(&text, depth + 1) }
                continue
            }
            bytes.append(byte)
        }
        return isPlain ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// Past the value within a text, which may hold texts.
    private static func skipValue(_ text: inout Bytes, _ depth: Int) {
        // No person writes more, and the stack ends.
        guard depth < nestingMax else { return }
        var open = 1
        while open > 0, let byte = text.next, byte != 10 {
            if byte == UInt8(ascii: "\"") {
                _ = literal(&text, depth)
                continue
            }
            _ = text.take()
            if byte == UInt8(ascii: "(") { open += 1 }
            if byte == UInt8(ascii: ")") { open -= 1 }
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
            case "extension": extended = (Self.type(after: index, words).joined(), depth)
            case "canImport": if let name = rest.dropFirst().first { guarded.insert(String(name)) }
            case "(": readName(words, at: index, in: extended?.type)
            case _ where word.first == "\"": literals.insert(String(word.dropFirst()))
            case "main" where index > 0 && words[index - 1] == "@": hasMain = true
            case "Preview" where index > 0 && words[index - 1] == "#": macros.insert("Preview")
            case "Model" where index > 0 && words[index - 1] == "@": macros.insert("Model")
            case "secondaryButtonLabel": hasSecondaryButton = true
            case "class", "struct":
                guard let name = rest.first, let colon = rest.dropFirst().first, colon == ":" else {
                    continue
                }
                // The last part of `DeviceActivity.DeviceActivityMonitor`.
                if let parent = Self.type(after: index + 2, words).last {
                    parents[String(name)] = String(parent)
                }
            default: continue
            }
        }
    }

    private static func isName(_ word: Substring) -> Bool { word.utf8.first.map(isWord) ?? false }

    /// A name with its dots, after a word.
    private static func type(after index: Int, _ words: [Substring]) -> [Substring] {
        var parts: [Substring] = []
        for word in words[(index + 1)...].prefix(2 * partsMax) {
            guard parts.count.isMultiple(of: 2) ? isName(word) : word == "." else { break }
            parts.append(word)
        }
        return parts
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
        var start = bracket
        while start > 0, bracket - start < 2 * Self.partsMax, Self.isName(words[start - 1]) {
            start -= 1
            guard start > 0, words[start - 1] == "." else { break }
            start -= 1
        }
        let type = words[start..<bracket].joined()
        let isOwn = ["Self", "init", ".init"].contains(type)
        names[isOwn ? extended ?? "" : type, default: []].insert(String(text.dropFirst()))
    }

    /// The class that descends from `ancestor`, over others in between; the most derived one.
    func descendants(of ancestor: String) -> [String] {
        let all = parents.keys.filter { name in
            var parent = parents[name]
            var steps = Self.generationsMax
            while let found = parent, found != ancestor, steps > 0 {
                parent = parents[found]
                steps -= 1
            }
            return parent == ancestor
        }
        let inherited = Set(parents.values)
        return all.filter { !inherited.contains($0) }.sorted()
    }
}
