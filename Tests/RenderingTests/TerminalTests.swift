import STContracts
import STPlatform
import STRendering
import Testing

@Suite("A page in a terminal")
struct TerminalTests {
    @Test("no line is wider than the window", arguments: [20, 40, 80, 120, 200])
    func width(columns: Int) {
        var pages = [SamplePages.day("en"), SamplePages.day("ko"), SamplePages.app("ko")]
        for seed in 0..<20 {
            var samples = PageSamples(seed: UInt64(seed))
            pages.append(samples.page("en"))
        }
        for page in pages {
            for line in PageTerminal.lines(page, columns: columns, colour: false) {
                #expect(DisplayWidth.columns(line) <= columns, "\(line)")
            }
        }
    }

    @Test("nothing on a page moves the cursor or turns the text round")
    func controls() {
        for seed in 0..<20 {
            var samples = PageSamples(seed: UInt64(seed))
            for line in PageTerminal.lines(samples.page("ko"), columns: 80, colour: false) {
                #expect(line == DisplayWidth.harmless(line))
                #expect(!line.contains("\n"))
            }
        }
    }

    @Test("colours are there when they are wanted, and what is said does not depend on them")
    func colours() {
        let plain = PageTerminal.lines(SamplePages.day("en"), columns: 80, colour: false)
        let coloured = PageTerminal.lines(SamplePages.day("en"), columns: 80, colour: true)

        #expect(!plain.joined().contains("\u{1B}"))
        #expect(coloured.joined().contains("\u{1B}[1m4h 46m\u{1B}[0m"))
        #expect(coloured.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") } == plain)
    }

    @Test("a pie is bars with what they are and how much of the whole")
    func pie() {
        let lines = PageTerminal.lines(SamplePages.app("en"), columns: 60, colour: false)

        #expect(lines.contains { $0.hasPrefix("Games  ") && $0.hasSuffix("1h 50m  38%") })
        #expect(lines.contains("[Categories]   Hours"))
    }

    @Test("another variant can be asked for")
    func chosen() {
        let lines = PageTerminal.lines(SamplePages.app("ko"), columns: 80, colour: false, chosen: [1, 0])

        #expect(lines.contains(" 카테고리   [시간대]"))
        #expect(lines.contains { $0.contains("█") && !$0.contains("%") })
    }

    @Test("a day by the hour stands, with the hours below and the most at its top")
    func hours() throws {
        let lines = PageTerminal.lines(SamplePages.day("en"), columns: 80, colour: false)

        let axis = try #require(lines.first { $0.hasPrefix("12 AM") })
        #expect(axis.contains("6 AM") && axis.contains("12 PM") && axis.contains("6 PM"))
        #expect(lines.contains { $0.hasSuffix(" 35m") })
    }

    @Test("an empty page and an empty chart say so")
    func empty() {
        let chart = PageNode(kind: .chart, chart: PageChart(marks: [], series: []))
        let page = { (nodes: [PageNode]) in
            Page(language: "ko", controls: [], variants: [PageVariant(chosen: [], nodes: nodes)])
        }

        #expect(PageTerminal.lines(page([]), columns: 80, colour: false) == ["표시할 내용이 없습니다."])
        #expect(PageTerminal.lines(page([chart]), columns: 80, colour: false) == ["데이터 없음"])
        #expect(PageTerminal.lines(page([chart]), columns: 80, colour: false, language: "en") == ["No data"])
    }
}
