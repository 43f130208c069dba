import STPlatform

extension PropertyList {
    static let bytesMax = 64 * 1_048_576
    static let depthMax = 64

    /// Returns the property list with each text changed.
    func mapped(_ change: (String) throws(Problem) -> String) throws(Problem) -> PropertyList {
        switch self {
        case .text(let text): return .text(try change(text))
        case .scalar, .flag: return self
        case .list(let items):
            var result: [PropertyList] = []
            for item in items { result.append(try item.mapped(change)) }
            return .list(result)
        case .table(let items):
            var result: [String: PropertyList] = [:]
            for (key, item) in items { result[key] = try item.mapped(change) }
            return .table(result)
        }
    }

    /// Reads a property list in text or XML format.
    static func read(_ path: String) throws(Problem) -> PropertyList {
        try parse(try AtomicFile.read(path, limitBytes: bytesMax), path)
    }

    static func parse(_ bytes: [UInt8], _ path: String) throws(Problem) -> PropertyList {
        if bytes.starts(with: Array("bplist".utf8)) {
            throw Problem(
                "lab.binary_list",
                "\(path, "path") is a binary property list. Convert it to XML on a Mac.",
                help: "plutil -convert xml1 \(path)"
            )
        }
        var text = ByteCursor(bytes, path)
        // Some editors write a byte order mark.
        text.skip([0xEF, 0xBB, 0xBF])
        text.skipSpace()
        return text.next == UInt8(ascii: "<") && !text.isHexNext
            ? try PropertyListXML.parse(&text) : try PropertyListText.parse(&text)
    }
}

/// The bytes of a file and the position of the reader.
struct ByteCursor {
    private let bytes: [UInt8]
    private let path: String
    private(set) var position = 0

    init(_ bytes: [UInt8], _ path: String) {
        self.bytes = bytes
        self.path = path
    }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }
    /// True if the text at the position is data in the text format, for example `<0a1b>`. `<?xml` and `<array>` begin the XML
    /// format.
    var isHexNext: Bool {
        bytes[position...].dropFirst().prefix { $0 != UInt8(ascii: ">") }.allSatisfy {
            $0 == 32 || $0.hexValue != nil
        }
    }

    mutating func read() -> UInt8? {
        guard let byte = next else { return nil }
        position += 1
        return byte
    }

    mutating func read(while isWanted: (UInt8) -> Bool) -> String {
        let start = position
        while let byte = next, isWanted(byte) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    @discardableResult
    mutating func skip(_ word: [UInt8]) -> Bool {
        guard bytes[position...].starts(with: word) else { return false }
        position += word.count
        return true
    }

    /// Returns the text before a word and moves past that word.
    mutating func read(until word: String) throws(Problem) -> String {
        let start = position
        let wanted = Array(word.utf8)
        while position < bytes.count {
            if bytes[position] == wanted[0], bytes[position...].starts(with: wanted) {
                defer { position += wanted.count }
                return String(decoding: bytes[start..<position], as: UTF8.self)
            }
            position += 1
        }
        position = start
        throw syntaxError("has no “\(word)” after this")
    }

    mutating func skipSpace() {
        while let byte = next, byte == 32 || (9...13).contains(byte) { position += 1 }
    }

    /// Returns a problem with the file and the line.
    func syntaxError(_ what: String) -> Problem {
        let line = bytes[..<min(position, bytes.count)].reduce(1) { $1 == 10 ? $0 + 1 : $0 }
        return Problem(
            "lab.bad_file",
            "\(path, "path"), line \(line, "line"): it \(what, "what").",
            key: "lab.bad_file.line-it"
        )
    }
}

extension UInt8 {
    var hexValue: UInt32? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self) - 48
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self) - 87
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self) - 55
        default: nil
        }
    }
}

/// The text format of project files and `.strings` files: `{ key = (a, "b"); }`.
enum PropertyListText {
    static func parse(_ text: inout ByteCursor) throws(Problem) -> PropertyList {
        try skip(&text)
        guard let first = text.next else { return .table([:]) }
        let value: PropertyList
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "(") {
            value = try item(&text, 0)
        } else {
            // A table of strings has no braces around it.
            value = .table(try entries(&text, until: nil, 0))
        }
        try skip(&text)
        guard text.next == nil else { throw text.syntaxError("continues after its end") }
        return value
    }

    /// Skips spaces and comments.
    private static func skip(_ text: inout ByteCursor) throws(Problem) {
        while true {
            text.skipSpace()
            if text.skip(Array("//".utf8)) {
                _ = text.read { $0 != 10 }
            } else if text.skip(Array("/*".utf8)) {
                _ = try text.read(until: "*/")
            } else {
                return
            }
        }
    }

    private static func item(_ text: inout ByteCursor, _ depth: Int) throws(Problem) -> PropertyList {
        guard depth < PropertyList.depthMax else { throw text.syntaxError("is nested too deeply") }
        try skip(&text)
        switch text.next {
        case UInt8(ascii: "{"):
            _ = text.read()
            return .table(try entries(&text, until: UInt8(ascii: "}"), depth + 1))
        case UInt8(ascii: "("):
            _ = text.read()
            return .list(try items(&text, depth + 1))
        case UInt8(ascii: "<"):
            _ = text.read()
            return .scalar("data", try text.read(until: ">"))
        default: return .text(try word(&text))
        }
    }

    private static func items(_ text: inout ByteCursor, _ depth: Int) throws(Problem) -> [PropertyList] {
        var items: [PropertyList] = []
        while true {
            try skip(&text)
            if text.skip([UInt8(ascii: ")")]) { return items }
            items.append(try item(&text, depth))
            try skip(&text)
            guard text.skip([UInt8(ascii: ",")]) || text.next == UInt8(ascii: ")") else {
                throw text.syntaxError("has no comma or ) here")
            }
        }
    }

    private static func entries(_ text: inout ByteCursor, until end: UInt8?, _ depth: Int) throws(Problem)
        -> [String: PropertyList]
    {
        var entries: [String: PropertyList] = [:]
        while true {
            try skip(&text)
            if let end, text.skip([end]) { return entries }
            if end == nil, text.next == nil { return entries }
            let key = try word(&text)
            try skip(&text)
            // The value of a key without a value is the key.
            var value = PropertyList.text(key)
            if text.skip([UInt8(ascii: "=")]) { value = try item(&text, depth) }
            entries[key] = value
            try skip(&text)
            guard text.skip([UInt8(ascii: ";")]) else { throw text.syntaxError("has no semicolon here") }
        }
    }

    private static func word(_ text: inout ByteCursor) throws(Problem) -> String {
        if let quote = text.next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            return try quoted(&text, quote)
        }
        let word = text.read { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), 128...:
                true
            default: "_$/:.-+@~".utf8.contains(byte)
            }
        }
        guard !word.isEmpty else { throw text.syntaxError("has no word where one belongs") }
        return word
    }

    private static func quoted(_ text: inout ByteCursor, _ quote: UInt8) throws(Problem) -> String {
        _ = text.read()
        let start = text
        var bytes: [UInt8] = []
        while let byte = text.read() {
            if byte == quote { return String(decoding: bytes, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            switch text.read() {
            case UInt8(ascii: "n"): bytes.append(10)
            case UInt8(ascii: "t"): bytes.append(9)
            case UInt8(ascii: "r"): bytes.append(13)
            case UInt8(ascii: "U"), UInt8(ascii: "u"): bytes += Array(try utf16(&text).utf8)
            case let other?: bytes.append(other)
            case nil: break
            }
        }
        throw start.syntaxError("has a quote that does not end")
    }

    /// Reads a character such as `\U00e4`. Two escapes form a surrogate pair of UTF-16.
    private static func utf16(_ text: inout ByteCursor) throws(Problem) -> String {
        var units = [try unit(&text)]
        if UTF16.isLeadSurrogate(units[0]), text.skip(Array("\\U".utf8)) || text.skip(Array("\\u".utf8)) {
            units.append(try unit(&text))
        }
        return String(decoding: units, as: UTF16.self)
    }

    private static func unit(_ text: inout ByteCursor) throws(Problem) -> UInt16 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = text.next?.hexValue else {
                throw text.syntaxError("has \\U without four digits")
            }
            _ = text.read()
            value = value * 16 + digit
        }
        return UInt16(truncatingIfNeeded: value)
    }
}

/// The XML format. A property list that defines entities is rejected.
enum PropertyListXML {
    static func parse(_ text: inout ByteCursor) throws(Problem) -> PropertyList {
        var tag = try opening(&text)
        if tag.name == "plist" { tag = try opening(&text) }
        return try value(tag, text: &text, depth: 0)
    }

    private struct Tag {
        var name: String
        var isEmpty: Bool
    }

    /// Skips spaces, comments, the declaration and the document type.
    private static func skip(_ text: inout ByteCursor) throws(Problem) {
        while true {
            text.skipSpace()
            if text.skip(Array("<?".utf8)) {
                _ = try text.read(until: "?>")
            } else if text.skip(Array("<!--".utf8)) {
                _ = try text.read(until: "-->")
            } else if text.skip(Array("<!DOCTYPE".utf8)) {
                let type = try text.read(until: ">")
                guard !type.contains("[") else {
                    throw text.syntaxError("defines entities, which no list needs")
                }
            } else {
                return
            }
        }
    }

    private static func opening(_ text: inout ByteCursor) throws(Problem) -> Tag {
        try skip(&text)
        guard text.skip([UInt8(ascii: "<")]) else {
            throw text.syntaxError("has no element where one belongs")
        }
        var words = try text.read(until: ">")
        let isEmpty = words.hasSuffix("/")
        if isEmpty { words.removeLast() }
        return Tag(name: String(words.prefix { !$0.isWhitespace }), isEmpty: isEmpty)
    }

    private static func isClosed(_ name: String, _ text: inout ByteCursor) throws(Problem) -> Bool {
        try skip(&text)
        return text.skip(Array("</\(name)>".utf8))
    }

    private static func value(_ tag: Tag, text: inout ByteCursor, depth: Int) throws(Problem) -> PropertyList
    {
        guard depth < PropertyList.depthMax else { throw text.syntaxError("is nested too deeply") }
        switch tag.name {
        case "dict":
            var entries: [String: PropertyList] = [:]
            while !tag.isEmpty, !(try isClosed(tag.name, &text)) {
                let key = try opening(&text)
                guard key.name == "key" else {
                    throw text.syntaxError("has a <\(key.name)> where a <key> belongs")
                }
                let name = try characters(key, &text)
                entries[name] = try value(try opening(&text), text: &text, depth: depth + 1)
            }
            return .table(entries)
        case "array":
            var items: [PropertyList] = []
            while !tag.isEmpty, !(try isClosed(tag.name, &text)) {
                items.append(try value(try opening(&text), text: &text, depth: depth + 1))
            }
            return .list(items)
        case "true", "false":
            if !tag.isEmpty { _ = try characters(tag, &text) }
            return .flag(tag.name == "true")
        case "string": return .text(try characters(tag, &text))
        case "integer", "real", "date", "data": return .scalar(tag.name, try characters(tag, &text))
        default: throw text.syntaxError("has the element <\(tag.name)>, which no property list has")
        }
    }

    private static func characters(_ tag: Tag, _ text: inout ByteCursor) throws(Problem) -> String {
        guard !tag.isEmpty else { return "" }
        var result = ""
        while true {
            result += text.read { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&") }
            if text.skip(Array("</\(tag.name)>".utf8)) { return result }
            if text.skip(Array("<![CDATA[".utf8)) {
                result += try text.read(until: "]]>")
            } else if text.skip(Array("<!--".utf8)) {
                _ = try text.read(until: "-->")
            } else if text.skip([UInt8(ascii: "&")]) {
                result.unicodeScalars.append(try entity(&text))
            } else {
                throw text.syntaxError("does not close <\(tag.name)>")
            }
        }
    }

    private static func entity(_ text: inout ByteCursor) throws(Problem) -> Unicode.Scalar {
        let name = text.read { $0 != UInt8(ascii: ";") && $0 > 32 }
        guard text.skip([UInt8(ascii: ";")]) else { throw text.syntaxError("has an & that is not &amp;") }
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            let digits = name.hasPrefix("#x") ? name.dropFirst(2) : name.dropFirst()
            guard name.hasPrefix("#"), let number = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10),
                let scalar = Unicode.Scalar(number)
            else { throw text.syntaxError("has &\(name);, which no property list has") }
            return scalar
        }
    }
}
