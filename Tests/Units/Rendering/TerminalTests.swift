import STContracts
import STPlatform
import STRendering
import Testing

@Suite("Pages in a terminal")
struct TerminalTests {
    @Test("No line of a page is wider than the terminal", arguments: [20, 40, 80, 120, 200])
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

    @Test("A page contains no control characters")
    func controls() {
        for seed in 0..<20 {
            var samples = PageSamples(seed: UInt64(seed))
            for line in PageTerminal.lines(samples.page("ko"), columns: 80, colour: false) {
                #expect(line == DisplayWidth.sanitized(line))
                #expect(!line.contains("\n"))
            }
        }
    }

    @Test("Colours are optional and do not change the text")
    func colours() {
        let plain = PageTerminal.lines(SamplePages.day("en"), columns: 80, colour: false)
        let coloured = PageTerminal.lines(SamplePages.day("en"), columns: 80, colour: true)

        #expect(!plain.joined().contains("\u{1B}"))
        #expect(coloured.joined().contains("\u{1B}[1m4h 46m\u{1B}[0m"))
        #expect(coloured.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") } == plain)
    }

    @Test("A pie is shown as bars with values and percentages")
    func pie() {
        let lines = PageTerminal.lines(SamplePages.app("en"), columns: 60, colour: false)

        #expect(lines.contains { $0.hasPrefix("Games  ") && $0.hasSuffix("1 h 50 min  38%") })
        #expect(lines.contains("[Categories]   Hours"))
    }

    @Test("Another variant of a page can be selected")
    func chosen() {
        let lines = PageTerminal.lines(SamplePages.app("ko"), columns: 80, colour: false, chosen: [1, 0])

        #expect(lines.contains(" 카테고리   [시간대]"))
        #expect(lines.contains { $0.contains("█") && !$0.contains("%") })
    }

    @Test("The hours of a day are vertical bars with hours below and the maximum at the top")
    func hours() throws {
        let lines = PageTerminal.lines(SamplePages.day("en"), columns: 80, colour: false)

        let axis = try #require(lines.first { $0.hasPrefix("00:00") })
        #expect(axis.contains("06:00") && axis.contains("12:00") && axis.contains("18:00"))
        #expect(lines.contains { $0.hasSuffix(" 35 min") })
    }

    private func lines(_ chart: PageChart) -> [String] {
        let node = PageNode(kind: .chart, chart: chart)
        let page = Page(language: "en", controls: [], variants: [PageVariant(chosen: [], nodes: [node])])
        return PageTerminal.lines(page, columns: 100, colour: false)
    }

    @Test("Control characters in the notes and values of marks are replaced")
    func notes() {
        let marks = ["a", "b"].map { name in
            PageMark(
                kind: .bar,
                x: PageDatum(number: 3),
                y: PageDatum(text: name),
                note: "n\u{1B}[2J",
                value: "v\u{1B}]0;title\u{7}"
            )
        }
        let sectors = ["a", "b"].map { name in
            PageMark(kind: .sector, series: name, angle: 1, value: "v\u{1B}[2J")
        }
        for marks in [marks, sectors] {
            let text = lines(PageChart(marks: marks, series: [])).joined(separator: "\n")
            #expect(!text.contains("\u{1B}") && !text.contains("\u{7}") && text.contains("·[2J"))
        }
    }

    @Test("Negative values are shown, also as the sum of several marks")
    func negative() {
        let values: [(String, Double)] = [("one", -5), ("one", -2), ("two", 4)]
        let marks = values.map { name, value in
            PageMark(kind: .bar, series: "s\(value)", x: PageDatum(text: name), y: PageDatum(number: value))
        }
        let shown = lines(PageChart(marks: marks, series: []))
        #expect(shown.contains { $0.hasPrefix("one") && $0.hasSuffix("-7") }, "\(shown)")
        let dense = (0..<40).map { place in
            PageMark(kind: .bar, x: PageDatum(number: Double(place)), y: PageDatum(number: -3))
        }
        #expect(lines(PageChart(marks: dense, series: [])).contains { $0.hasSuffix("-3") })
    }

    @Test("Twelve series differ without colours")
    func manySeries() {
        let marks = (0..<12).map { place in
            PageMark(
                kind: .bar,
                series: "s\(place)",
                x: PageDatum(text: "one"),
                y: PageDatum(number: 10)
            )
        }
        let series = (0..<12).map {
            PageSeries(name: "s\($0)", color: PageColor(light: "#000000FF", dark: "#FFFFFFFF"))
        }
        let shown = lines(PageChart(marks: marks, series: series))
        let bar = shown.first { $0.hasPrefix("one") } ?? ""
        for sign in ["█", "▓", "▒", "░", "A", "B", "C", "D", "E", "F", "G", "H"] {
            #expect(bar.contains(sign), "\(bar)")
            #expect(shown.dropFirst().contains { $0.contains(sign + " s") })
        }
    }

    @Test("An empty page and an empty chart show a sentence")
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
