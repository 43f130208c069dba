import STPlatform

/// Korean for English sentences that are made elsewhere: by services, and in the table of commands.
///
/// A template has numbered holes, such as `There is no member {1}.`; what fills them is said in Korean too where the book has it.
/// One word alone is a name and stays, unless the Korean marks its hole, as in `{1*}`. A sentence that no template fits stays as it came.
package struct Phrasebook: Sendable {
    package static let korean = Phrasebook(
        [
            KoreanTyping.text, KoreanPeople.text, KoreanRules.text, KoreanData.text, KoreanPast.text,
            KoreanSystem.text, KoreanProtect.text, KoreanLab.text, KoreanHousehold.text,
            KoreanNotices.text, KoreanDoctor.text,
        ],
        and: Translations.of(.korean)?.pairs ?? []
    )

    /// A text with holes.
    package struct Template: Sendable {
        package struct Hole: Sendable, Equatable {
            package var number: Int
            package var takesWord: Bool
        }

        /// What stands around the holes, so one more than there are holes.
        package private(set) var texts = [""]
        package private(set) var holes: [Hole] = []

        package init(_ text: some StringProtocol) {
            let pieces = text.split(separator: "{", omittingEmptySubsequences: false)
            texts = [String(pieces[0])]
            for piece in pieces.dropFirst() {
                let inside = piece.prefix { $0 != "}" }
                let digits = inside.hasSuffix("*") ? inside.dropLast() : inside
                if inside.endIndex < piece.endIndex, let number = Int(digits) {
                    holes.append(Hole(number: number, takesWord: inside.hasSuffix("*")))
                    texts.append(String(piece[inside.endIndex...].dropFirst()))
                } else {
                    texts[texts.count - 1] += "{" + piece
                }
            }
        }

        /// The template of a message. `number` returns the number for the name of a value.
        init(_ template: MessageTemplate, number: (String) -> Int) {
            for part in template.parts {
                switch part {
                case .text(let text): texts[texts.count - 1] += text
                case .value(let name):
                    holes.append(Hole(number: number(name), takesWord: false))
                    texts.append("")
                }
            }
        }

        package func filled(_ filling: (Hole) -> String) -> String {
            zip(holes, texts.dropFirst()).reduce(texts[0]) { $0 + filling($1.0) + $1.1 }
        }
    }

    package struct Entry: Sendable {
        package let english: Template
        package let korean: Template
        private let parts: [[UInt8]]
        fileprivate let size: Int

        fileprivate init(_ english: Template, _ korean: Template) {
            self.english = english
            self.korean = korean
            parts = self.english.texts.map { Array($0.utf8) }
            size = parts.map(\.count).reduce(0, +)
        }

        /// What fills the holes. Each part is looked for once, behind the one before, so a long sentence takes no longer than it is long.
        fileprivate func fillings(of sentence: [UInt8]) -> [String]? {
            guard sentence.count >= size, let first = parts.first, let last = parts.last,
                sentence.starts(with: first), sentence.suffix(last.count).elementsEqual(last)
            else { return nil }
            var rest = sentence[first.count..<(sentence.count - last.count)]
            var fillings: [String] = []
            for part in parts.dropFirst().dropLast() {
                guard let place = Self.place(of: part, in: rest) else { return nil }
                fillings.append(String(decoding: rest[..<place], as: UTF8.self))
                rest = rest[(place + part.count)...]
            }
            fillings.append(String(decoding: rest, as: UTF8.self))
            return fillings.indices.allSatisfy { takes(fillings[$0], $0) } ? fillings : nil
        }

        /// A sentence ends in a hole only where one may begin: behind a colon, another sentence, or another hole.
        private func takes(_ filling: String, _ hole: Int) -> Bool {
            let before = english.texts[hole].last { $0 != " " }
            if before.map({ ":;.?!)".contains($0) }) ?? (hole > 0) { return true }
            // The rest of the sentence, or only its end.
            if let first = filling.first, ".;,:".contains(first) { return true }
            return !filling.contains(". ")
                && !(filling.hasSuffix(".") && english.texts[hole + 1].isEmpty
                    && hole + 2 == english.texts.count)
        }

        /// A full stop at the end of the part is one only before a blank, or at the end: names have dots.
        private static func place(of part: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
            guard !part.isEmpty else { return joint(in: bytes) }
            guard bytes.count >= part.count else { return nil }
            let isSentence = part.last == UInt8(ascii: ".")
            return (bytes.startIndex...(bytes.endIndex - part.count)).first { start in
                let end = start + part.count
                return bytes[start..<end].elementsEqual(part)
                    && (!isSentence || end == bytes.endIndex || bytes[end] == UInt8(ascii: " "))
            }
        }

        /// Where one hole ends and the next begins, with nothing between: before what can follow a name.
        private static func joint(in bytes: ArraySlice<UInt8>) -> Int? {
            let places = ["; ", ". ", ", and ", " (", " in ["].compactMap {
                place(of: Array($0.utf8), in: bytes)
            }
            return places.min() ?? (bytes.last == UInt8(ascii: ".") ? bytes.endIndex - 1 : bytes.endIndex)
        }
    }

    private struct Saying {
        var text: String
        /// How many bytes of English were understood: the reading with more of them wins.
        var size: Int
    }

    /// What is longer is no sentence.
    private static let bytesMax = 8_000
    /// As many as one line of the book has.
    private static let sentencesMax = 4
    /// A sentence in a sentence in a sentence.
    private static let depthMax = 3

    package let entries: [Entry]
    /// Those with holes, the longest first.
    private let open: [Entry]
    private let closed: [String: String]

    /// Each text has pairs of lines: English, and its Korean. `pairs` are from the catalogue: some services send a message as its
    /// English text.
    package init(_ texts: [String], and pairs: [(english: String, translation: String)] = []) {
        entries = texts.flatMap { text in
            let lines = text.split(separator: "\n")
            return stride(from: 0, to: lines.count - 1, by: 2).map {
                Entry(Template(lines[$0]), Template(lines[$0 + 1]))
            }
        }
        let entries = entries + pairs.compactMap(Self.entry)
        open = entries.filter { !$0.english.holes.isEmpty }.sorted { $0.size > $1.size }
        let others = entries.filter(\.english.holes.isEmpty).map { ($0.english.texts[0], $0.korean.texts[0]) }
        closed = Dictionary(others) { first, _ in first }
    }

    /// An entry from the catalogue, with numbers for the names of values. Nil for a text with few words, which would fit names.
    private static func entry(_ english: String, _ translation: String) -> Entry? {
        let template = MessageTemplate(english)
        let words = template.parts.reduce(0) { count, part in
            if case .text(let text) = part {
                count + text.utf8.split(separator: 0x20).count { $0.count > 1 }
            } else {
                count
            }
        }
        guard words > 2 else { return nil }
        var numbers: [String: Int] = [:]
        var count = 0
        let numbered = Template(template) { name in
            count += 1
            numbers[name] = numbers[name] ?? count
            return count
        }
        return Entry(numbered, Template(MessageTemplate(translation)) { numbers[$0] ?? 0 })
    }

    /// Nil where nothing in the book fits.
    package func said(_ sentence: String) -> String? {
        sentence.utf8.count > Self.bytesMax ? nil : saying(sentence, depth: 1)?.text
    }

    private func saying(_ text: String, depth: Int) -> Saying? {
        guard let start = text.firstIndex(where: { !$0.isWhitespace }), depth <= Self.depthMax,
            let end = text.lastIndex(where: { !$0.isWhitespace })
        else { return nil }
        let core = text[start...end]
        let sentences = Self.sentences(core)
        let readings = [
            whole(String(core), depth: depth), sentences.count > 1 ? each(sentences, depth: depth) : nil,
        ].compactMap(\.self)
        guard var best = readings.max(by: { $0.size < $1.size }) else { return nil }
        best.text = text[..<start] + best.text + text[end...].dropFirst()
        return best
    }

    /// The sentences one after the other, of which some stand together in the book.
    private func each(_ sentences: [String], depth: Int) -> Saying? {
        var all = Saying(text: "", size: 0)
        var rest = sentences[...]
        while !rest.isEmpty {
            let counts = (1...min(Self.sentencesMax, rest.count)).reversed()
            guard
                let (said, count) = counts.lazy.compactMap({ count in
                    whole(rest.prefix(count).joined(separator: " "), depth: depth).map { ($0, count) }
                }).first
            else { return nil }
            all.text += (all.text.isEmpty ? "" : " ") + said.text
            all.size += said.size
            rest = rest.dropFirst(count)
        }
        return all
    }

    private func whole(_ text: String, depth: Int) -> Saying? {
        if text.contains(" "), let ms = TextFormat.durationMs(text) {
            return Saying(text: TextFormat.duration(ms: ms, in: .korean), size: text.utf8.count)
        }
        if let saying = matched(text, depth: depth) { return saying }
        // Of a sentence within another one the full stop is gone.
        guard !text.hasSuffix("."), var saying = matched(text + ".", depth: depth), saying.text.hasSuffix(".")
        else { return nil }
        saying.text.removeLast()
        return saying
    }

    private func matched(_ text: String, depth: Int) -> Saying? {
        if let said = closed[text] { return Saying(text: said, size: text.utf8.count) }
        let bytes = Array(text.utf8)
        for entry in open {
            guard let fillings = entry.fillings(of: bytes) else { continue }
            var size = entry.size
            var isWhole = true
            let korean = entry.korean.filled { hole in
                guard fillings.indices.contains(hole.number - 1) else { return "" }
                let filling = fillings[hole.number - 1]
                let before = entry.english.texts[hole.number - 1]
                // What stands in quotes is a name, and so is a word alone.
                let isName = !filling.contains(" ") || before.hasSuffix("“")
                guard hole.takesWord || !isName,
                    let said = saying(filling, depth: depth + 1)
                        ?? (hole.takesWord ? words(filling, depth: depth + 1) : nil)
                else {
                    // Behind a sentence stands another one, and half of them is worse than none.
                    if !isName, before.hasSuffix(".") { isWhole = false }
                    return filling
                }
                size += said.size
                return said.text
            }
            if isWhole { return Saying(text: korean, size: size) }
        }
        return nil
    }

    /// Words with commas between; one that is not in the book is a name.
    private func words(_ text: String, depth: Int) -> Saying? {
        let words = text.split(separator: ", ").map {
            saying(String($0), depth: depth) ?? Saying(text: String($0), size: 0)
        }
        guard words.count > 1 else { return nil }
        return Saying(
            text: words.map(\.text).joined(separator: ", "),
            size: words.map(\.size).reduce(0, +)
        )
    }

    /// A text cut behind each full stop that a blank follows.
    private static func sentences(_ text: Substring) -> [String] {
        var sentences: [String] = []
        var sentence = ""
        for character in text {
            if character == " ", let last = sentence.last, ".?!".contains(last) {
                sentences.append(sentence)
                sentence = ""
            } else {
                sentence.append(character)
            }
        }
        return sentences + [sentence]
    }
}
