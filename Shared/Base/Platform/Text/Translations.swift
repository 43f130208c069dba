import Glibc
import STCPlatform
import Synchronization

/// The translations of one language, from a gettext `.po` file in which `msgctxt` is the key of the message.
///
/// A message without a usable translation is shown in English. A translation is unusable if it is empty, marked as fuzzy, has a
/// control character that the English text does not have, or names other values than the English text.
package final class Translations: Sendable {
    /// Maximum size of a file. A larger file is not loaded.
    package static let bytesMax = 4 << 20

    private let bytes: [UInt8]
    /// The offset of the line after the `msgctxt` of each key.
    private let places: [String: Int]
    package let plurals: PluralRule?
    /// Cache of parsed templates, by key and form.
    private let templates = Mutex<[String: MessageTemplate]>([:])

    private static let loaded = Mutex<[String: Translations?]>([:])

    /// The translations of a language. `nil` for English, and for a language without a readable file.
    package static func load(_ language: DisplayLanguage) -> Translations? {
        guard language != .english else { return nil }
        return loaded.withLock { loaded in
            if let known = loaded[language.code] { return known }
            let bytes = path(language.code).flatMap { try? AtomicFile.read($0, limitBytes: bytesMax) }
            let translations = bytes.map(Translations.init)
            loaded[language.code] = .some(translations)
            return translations
        }
    }

    private static let paths = Mutex<[String: String?]>([:])
    /// Upper bound of this cache, because names of languages also come from browsers.
    private static let pathsMax = 100

    /// The path of a language's file. `nil` if the language has none.
    package static func path(_ code: String) -> String? {
        if let known = paths.withLock({ $0[code] }) { return known }
        let path = ProductFolder.find("languages", with: "\(code).po").map { "\($0)/\(code).po" }
        paths.withLock { if $0.count < pathsMax { $0[code] = .some(path) } }
        return path
    }

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        places = Self.places(in: bytes)
        plurals = Self.plurals(in: bytes)
    }

    package var keys: Set<String> { Set(places.keys) }

    /// The translation of a message with its values. `nil` if there is no usable one.
    package func text(of message: Message, in language: DisplayLanguage) -> String? {
        let form = message.count.map { plurals?.form(of: $0) ?? 0 }
        guard let template = template(of: message, form), Set(template.names) == Set(message.values.keys)
        else {
            return nil
        }
        return template.parts.reduce(into: "") { result, part in
            switch part {
            case .text(let text): result += text
            case .value(let name): result += message.values[name]?.text(in: language) ?? ""
            }
        }
    }

    private func template(of message: Message, _ form: Int?) -> MessageTemplate? {
        let name = message.key + (form.map { "[\($0)]" } ?? "")
        if let known = templates.withLock({ $0[name] }) { return known }
        guard let text = text(of: message.key, form: form),
            text.isPlain
                || message.english.contains("\n")
                    && text.split(separator: "\n").allSatisfy({ String($0).isPlain })
        else { return nil }
        let template = MessageTemplate(text)
        templates.withLock { $0[name] = template }
        return template
    }

    /// The translation of a key as stored in the file: `msgstr`, or `msgstr[form]`. `nil` if it is missing or empty.
    package func text(of key: String, form: Int? = nil) -> String? {
        text(of: key, line: form.map { "msgstr[\($0)] " } ?? "msgstr ")
    }

    private func text(of key: String, line name: String) -> String? {
        guard var index = places[key] else { return nil }
        while let line = Self.line(at: index, in: bytes), !line.isEmpty {
            if bytes[line].starts(with: name.utf8) {
                let text = text(from: line.lowerBound + name.utf8.count)
                return text.isEmpty ? nil : text
            }
            index = line.upperBound + 1
        }
        return nil
    }

    /// The translations whose keys begin with `prefix`, by the rest of the key.
    package func texts(under prefix: String) -> [String: String] {
        let keys = places.keys.filter { $0.hasPrefix(prefix) }
        return Dictionary(uniqueKeysWithValues: keys.map { (String($0.dropFirst(prefix.count)), $0) })
            .compactMapValues { text(of: $0) }
    }

    /// The number of messages whose translation cannot be used, so they appear in English.
    package var unusable: Int {
        places.keys.count { key in
            guard let english = text(of: key, line: "msgid ") else { return true }
            let translation = text(of: key) ?? text(of: key, form: 0) ?? ""
            let names = Set(MessageTemplate(english).names)
            return translation.isEmpty
                || !translation.split(separator: "\n").allSatisfy { String($0).isPlain }
                || !Set(MessageTemplate(translation).names).isSuperset(of: names)
        } + fuzzy
    }

    private var fuzzy: Int { String(decoding: bytes, as: UTF8.self).split(separator: "\n#, fuzzy").count - 1 }

    private static func plurals(in bytes: [UInt8]) -> PluralRule? {
        let mark = Array("\n\"Plural-Forms: ".utf8)
        return bytes.withUnsafeBytes { all in
            guard let base = all.baseAddress, let found = st_find(base, all.count, mark, mark.count) else {
                return nil
            }
            let start = base.distance(to: found) + mark.count
            let value = all[start...].prefix(400).prefix {
                $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "\"")
            }
            return PluralRule(String(decoding: value, as: UTF8.self))
        }
    }

    /// Joins the quoted strings that begin at this offset, one on each line.
    private func text(from start: Int) -> String {
        var text: [UInt8] = []
        var index = start
        while let line = Self.line(at: index, in: bytes), bytes[line].first == UInt8(ascii: "\"") {
            var rest = bytes[line].dropFirst()
            while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
                guard byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() else {
                    text.append(byte)
                    continue
                }
                text.append(
                    escaped == UInt8(ascii: "n") ? 0x0A : escaped == UInt8(ascii: "t") ? 0x09 : escaped
                )
            }
            index = line.upperBound + 1
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The rest of the line from this offset, without the line break.
    private static func line(at index: Int, in bytes: [UInt8]) -> Range<Int>? {
        guard index < bytes.count else { return nil }
        return index..<(bytes[index...].firstIndex(of: 0x0A) ?? bytes.count)
    }

    private static func places(in bytes: [UInt8]) -> [String: Int] {
        let mark = Array("\nmsgctxt \"".utf8)
        // gettext writes `fuzzy` as the first flag, in the comment lines above the key.
        let fuzzy = Array("\n#, fuzzy".utf8)
        var places: [String: Int] = [:]
        bytes.withUnsafeBytes { all in
            guard let base = all.baseAddress else { return }
            var index = 0
            while let found = st_find(base + index, all.count - index, mark, mark.count) {
                let start = base.distance(to: found) + mark.count
                guard let end = memchr(base + start, 0x0A, all.count - start) else { return }
                let lineEnd = base.distance(to: UnsafeRawPointer(end))
                if let quote = all[start..<lineEnd].lastIndex(of: UInt8(ascii: "\"")),
                    st_find(base + index, start - index, fuzzy, fuzzy.count) == nil
                {
                    places[String(decoding: all[start..<quote], as: UTF8.self)] = lineEnd + 1
                }
                index = lineEnd
            }
        }
        return places
    }
}

/// The text of a translation, with placeholders for named values.
package struct MessageTemplate: Sendable, Equatable {
    package enum Part: Sendable, Equatable {
        case text(String)
        case value(String)
    }

    package let parts: [Part]

    /// Parses a template. A placeholder is a name of ASCII letters and digits in braces. Any other brace is ordinary text.
    package init(_ text: String) {
        let bytes = Array(text.utf8)
        var parts: [Part] = []
        var start = 0
        var index = 0
        func append(to end: Int) {
            if end > start { parts.append(.text(String(decoding: bytes[start..<end], as: UTF8.self))) }
        }
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "{") {
                var end = index + 1
                while end < bytes.count, Self.isNamePart(bytes[end]) { end += 1 }
                if end > index + 1, end < bytes.count, bytes[end] == UInt8(ascii: "}") {
                    append(to: index)
                    parts.append(.value(String(decoding: bytes[(index + 1)..<end], as: UTF8.self)))
                    start = end + 1
                    index = end
                }
            }
            index += 1
        }
        append(to: bytes.count)
        self.parts = parts
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    package var names: [String] { parts.compactMap { if case .value(let name) = $0 { name } else { nil } } }
}
