import STContracts
import STDomain
import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

@Suite("What others say in English, in Korean")
struct PhrasebookTests {
    private let book = Phrasebook([
        """
        There is no app {1}.{2}
        {1} 앱은 없습니다.{2}
        There is no store {1}{2}
        {1} 저장소는 없습니다{2}
        ; did you mean {1}?
        . 혹시 {1}인가요?
        Did you mean {1}?
        혹시 {1}인가요?
        {1} is a {2}, not a {3}.
        {1}은(는) {3*}이(가) 아니라 {2*}입니다.
        limit
        한도
        It waits {1}.
        {1} 기다립니다.
        The rule “{1}” of {2}
        {2} 님의 규칙 “{1}”
        {1} is new: {2}.
        {1} 추가: {2*}.
        Not counted: {1}
        세지 않습니다: {1}
        """
    ])

    @Test(
        "a sentence is said with what fills its holes, in Korean too where that is no name",
        arguments: [
            ("There is no app org.mozilla.firefoxx.", "org.mozilla.firefoxx 앱은 없습니다."),
            ("There is no app a.b. Did you mean a.c?", "a.b 앱은 없습니다. 혹시 a.c인가요?"),
            ("There is no store a.b/c.", "a.b/c 저장소는 없습니다."),
            ("There is no store a.b; did you mean c d?", "a.b 저장소는 없습니다. 혹시 c d인가요?"),
            ("There is no app a. It waits 5 min. Who knows?", nil),
            ("It waits 5 min. It waits 1 h 30 min.", "5분 기다립니다. 1시간 30분 기다립니다."),
            ("limit is a limit, not a goal.", "limit은(는) goal이(가) 아니라 한도입니다."),
            ("The rule “limit” of kim is new: limit, 20 min.", "kim 님의 규칙 “limit” 추가: 한도, 20분."),
            ("Not counted: There is no app x.", "세지 않습니다: x 앱은 없습니다."),
            ("Not counted: there is no such file", "세지 않습니다: there is no such file"),
            ("It waits", nil), ("", nil), (" ", nil), ("There is no app", nil),
            ("It waits {1}.", "{1} 기다립니다."),
        ]
    )
    func sentences(_ english: String, _ korean: String?) {
        #expect(book.said(english) == korean)
    }

    @Test("every line of the book is found again, with anything in its holes", arguments: 1...5)
    func fillings(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let letters = Array("abcxyz가나-_.")
        for entry in Phrasebook.korean.entries {
            let texts = entry.english.texts
            let names = entry.english.holes.indices.map { hole in
                // Another sentence may follow there, or nothing.
                if hole > 0, texts[hole].isEmpty || texts[hole].hasSuffix(".") { return "" }
                return "q"
                    + (0..<random.number(1...6)).map { _ in String(letters[random.number(0...10)]) }.joined()
                    + "q"
            }
            let english = entry.english.filled { names[$0.number - 1] }
            let korean = entry.korean.filled { names[$0.number - 1] }
            #expect(Phrasebook.korean.said(english) == korean, "\(english)")
        }
    }

    @Test("the English text of a message from the catalogue is translated, with its values")
    func catalogue() {
        let problem = Problem("member.not_found.x", verbatim: "There is no member kim. Did you mean kam?")
        let said = Phrasebook.korean.said(problem.message)
        #expect(said?.contains("kim") == true && said?.contains("kam") == true)
        #expect(said?.contains("There") == false && said?.contains("Did you mean") == false)
        #expect(Phrasebook.korean.said("Visual Studio") == nil)
    }

    @Test("moments, of any day")
    func moments() {
        let nowMs: Int64 = 1_795_176_000_000
        for hours in stride(from: Int64(-9_000), to: 9_000, by: 6) {
            let wallMs = nowMs + hours * 3_600_000
            let english = MomentWords(fromMs: nowMs, zone: "UTC").text(wallMs)
            let korean = MomentWords(fromMs: nowMs, zone: "UTC", in: .korean).text(wallMs)
            #expect(
                Phrasebook.korean.said("It does not open before \(english) by itself.")
                    == "저절로는 \(korean) 전에 열리지 않습니다."
            )
        }
    }

    @Test("what each setting means here")
    func settings() {
        #expect(SettingKey.all.map(\.sentence).filter { Phrasebook.korean.said($0) == nil } == [])
        #expect(SettingKey.all.count > 20)
    }

    @Test("a long text, and one that nearly fits many times, take no time")
    func speed() {
        let startMs = Stopwatch.milliseconds()
        let texts = [
            String(repeating: "There is no member ", count: 400), String(repeating: "“", count: 2_600),
            String(repeating: "a. ", count: 2_600), String(repeating: "x", count: 1_000_000),
        ]
        for text in texts { _ = Phrasebook.korean.said(text) }
        #expect(Stopwatch.milliseconds() - startMs < 20_000)
    }
}
