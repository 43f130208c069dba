import STCommandCore
import STPlatform
import Testing

@Suite("What is said in English elsewhere has its Korean")
struct KoreanTests {
    /// Of fewer than two words, so that it is no sentence but a name, or what stands around one.
    private static func isFrame(_ sentence: String) -> Bool {
        let words = Phrasebook.Template(sentence).texts.joined(separator: " ").split(separator: " ").map {
            $0.filter { !",.;:()“”".contains($0) }
        }
        return words.count { $0.count > 1 && $0.allSatisfy { $0.isASCII && $0.isLetter } } < 2
            || ["sudo ", "screentime "].contains(where: sentence.hasPrefix)
    }

    /// The sentence in Korean, with a name in each hole; or with nothing, where another sentence would follow.
    private static func said(_ sentence: String) -> String? {
        let template = Phrasebook.Template(sentence)
        let named = template.filled { hole in
            let before = template.texts[hole.number - 1]
            return hole.number > 1 && (before.isEmpty || before.hasSuffix(".")) ? "" : "Name\(hole.number)"
        }
        return Phrasebook.korean.said(named) ?? Phrasebook.korean.said(template.filled { _ in "" })
    }

    /// No two words of English stand beside each other, but for what is typed: in backquotes, and behind a colon.
    private static func isKorean(_ text: String) -> Bool {
        let said = text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset.isMultiple(of: 2) }
            .map { $0.element.split(separator: /: (screentime|systemctl)\s/).first ?? "" }
            .joined(separator: " … ")
        let words = said.split(separator: " ").map {
            $0.count > 1 && $0.allSatisfy { $0.isASCII && $0.isLetter }
        }
        return !zip(words, words.dropFirst()).contains { $0 && $1 }
    }

    @Test("what the doctor finds, and why a desktop is seen or not")
    func doctor() throws {
        let files = [
            "desktop-agent/Screen/Probe/DoctorReport", "desktop-agent/Screen/Probe/AdapterChoice",
            "desktop-agent/Main/Doctor/DoctorAnswer", "auth-service/Core/MemberStory",
        ]
        for name in files {
            let text = try SourceTree.here.text("Services/\(name).swift")
            let silent = SourceSentences(text).literals().filter {
                !Self.isFrame($0) && Self.said($0).map(Self.isKorean) != true
            }
            #expect(silent == [], "\(name)")
        }
    }

    @Test("a line of English and its Korean have the same holes, and stand once")
    func entries() {
        let entries = Phrasebook.korean.entries
        let odd = entries.filter { entry in
            entry.english.holes.map(\.number) != Array(1..<(entry.english.holes.count + 1))
                || entry.korean.holes.map(\.number).sorted() != entry.english.holes.map(\.number)
                || Self.hangul(entry.english) > Self.hangul(entry.korean)
                || Self.hangul(entry.korean) == 0 && entry.english.holes.isEmpty
        }
        let texts = entries.map { $0.english.filled { "{\($0.number)}" } }

        #expect(odd.map { $0.english.texts } == [])
        #expect(Set(texts).count == texts.count && texts.count > 500)
    }

    private static func hangul(_ template: Phrasebook.Template) -> Int {
        template.texts.joined().unicodeScalars.count { (0xAC00...0xD7A3).contains($0.value) }
    }
}
