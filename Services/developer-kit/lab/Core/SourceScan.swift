import STPlatform

/// The facts about Swift files that the lab needs without compiling them: imports, superclasses, `@main` and string literals.
struct SourceScan: Sendable {
    private static let generationsMax = 16
    private static let nestingMax = 64
    /// The maximum number of parts of a type's name. `A.B.C` has three.
    private static let partsMax = 8

    private(set) var imports: Set<String> = []
    /// The first parent of each class and structure.
    private(set) var parents: [String: String] = [:]
    private(set) var hasMain = false
    /// The macros `#Preview` and `@Model`, if the code uses them.
    private(set) var macros: Set<String> = []
    /// True if the code contains a shield with a second button.
    private(set) var hasSecondaryButton = false
    /// The string literals without interpolation.
    private(set) var literals: Set<String> = []
    /// The keys of the defaults that the code reads, each with its method, for example `integer`.
    private(set) var reads: [String: String] = [:]
    /// The string literals from which the code creates values of each type, for example `DeviceActivityName("daily")`.
    private(set) var names: [String: Set<String>] = [:]

    /// The modules that the code tests with `canImport`.
    private(set) var guarded: Set<String> = []

    var certain: Set<String> { imports.subtracting(guarded) }

    mutating func add(_ source: [UInt8]) { read(Self.words(source)) }

    /// Returns the source adapted for Linux, with the same lines. Returns `nil` if no change is needed. Swift has no `@objc` on
    /// Linux. DeviceActivity's report is in a separate module that monitors do not load.
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

    /// Returns words and symbols without comments. A string literal begins with a quotation mark.
    static func words(_ source: [UInt8]) -> [Substring] {
        var text = ByteCursor(source, "")
        var words: [Substring] = []
        while let byte = text.next {
            if text.skip(Array("//".utf8)) {
                _ = text.read { $0 != 10 }
            } else if text.skip(Array("/*".utf8)) {
                skipComment(&text)
            } else if byte == UInt8(ascii: "\"") {
                words.append("\"" + (literal(&text) ?? ""))
            } else if isWord(byte) {
                words.append(text.read(while: isWord)[...])
            } else {
                _ = text.read()
                if byte > 32 { words.append(Substring(Character(Unicode.Scalar(byte)).description)) }
            }
        }
        return words
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte >= 128 || byte == UInt8(ascii: "_") || (97...122).contains(byte) || (65...90).contains(byte)
            || (48...57).contains(byte)
    }

    /// Skips a comment. Swift's comments can be nested.
    private static func skipComment(_ text: inout ByteCursor) {
        var depth = 1
        while depth > 0, text.next != nil {
            if text.skip(Array("/*".utf8)) {
                depth += 1
            } else if text.skip(Array("*/".utf8)) {
                depth -= 1
            } else {
                _ = text.read()
            }
        }
    }

    /// Reads a string literal. Returns `nil` for a multiline literal, and for a literal with interpolation or an escape.
    private static func literal(_ text: inout ByteCursor, _ depth: Int = 0) -> String? {
        if text.skip(Array("\"\"\"".utf8)) {
            _ = try? text.read(until: "\"\"\"")
            return nil
        }
        _ = text.read()
        var bytes: [UInt8] = []
        var isPlain = true
        while let byte = text.read(), byte != UInt8(ascii: "\""), byte != 10 {
            if byte == UInt8(ascii: "\\") {
                isPlain = false
                if text.read() == UInt8(ascii: "(") { skipValue(&text, depth + 1) }
                continue
            }
            bytes.append(byte)
        }
        return isPlain ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// Skips an interpolated value, which may contain string literals.
    private static func skipValue(_ text: inout ByteCursor, _ depth: Int) {
        // Limit the recursion, because the stack is limited. People do not write deeper nesting.
        guard depth < nestingMax else { return }
        var open = 1
        while open > 0, let byte = text.next, byte != 10 {
            if byte == UInt8(ascii: "\"") {
                _ = literal(&text, depth)
                continue
            }
            _ = text.read()
            if byte == UInt8(ascii: "(") { open += 1 }
            if byte == UInt8(ascii: ")") { open -= 1 }
        }
    }

    private mutating func read(_ words: [Substring]) {
        // The extended type and the depth of its braces.
        var extended: (type: String, depth: Int)?
        var depth = 0
        let kinds: Set<Substring> = [
            "class", "struct", "enum", "protocol", "func", "var", "let", "typealias",
        ]
        for (index, word) in words.enumerated() {
            let rest = words[(index + 1)...]
            switch word {
            case "import":
                // Example: `import struct Foundation.URL`.
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
                // For `DeviceActivity.DeviceActivityMonitor` this is the last part.
                if let parent = Self.type(after: index + 2, words).last {
                    parents[String(name)] = String(parent)
                }
            default: continue
            }
        }
    }

    private static func isName(_ word: Substring) -> Bool { word.utf8.first.map(isWord) ?? false }

    /// Returns a name with its dots after a word.
    private static func type(after index: Int, _ words: [Substring]) -> [Substring] {
        var parts: [Substring] = []
        for word in words[(index + 1)...].prefix(2 * partsMax) {
            guard parts.count.isMultiple(of: 2) ? isName(word) : word == "." else { break }
            parts.append(word)
        }
        return parts
    }

    /// Reads `Type("name")` and `Type(rawValue: "name")`. In an extension of the type, it also reads `Self("name")` and
    /// `.init("name")`.
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

    /// Returns the most derived classes that inherit from `ancestor`, directly or indirectly.
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
