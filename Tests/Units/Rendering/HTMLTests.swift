import Foundation
import STContracts
import STRendering
import STTestSupport
import Testing

@Suite("Pages as HTML")
struct HTMLTests {
    private static let hostile = [
        "</script><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
        "<!--", "]]>", "&amp;&lt;", "\u{0}\u{1}\u{8}\u{1B}[2J\u{7F}\u{85}", "\u{202E}txt.exe\u{202C}\u{2066}",
        "\u{FFFE}\u{FEFF}", "</style><svg onload=alert(1)>", "`${alert(1)}`", "\r\n\t\u{2028}",
    ]

    private func hostilePage(_ text: String) -> Page {
        var maker = PageMaker()
        maker.vertical { page in
            page.text(text, heading: 1)
            page.add(PageNode(kind: .text, runs: [PageRun(text: text), PageRun(text: text)], label: text))
            page.add(PageNode(kind: .vertical, label: text))
            page.add(PageNode(kind: .progress, value: 0.5, label: text))
            page.add(PageNode(kind: .image, image: PageImage(kind: .system, name: "moon"), label: text))
            page.add(PageNode(kind: .section, count: 0, runs: [PageRun(text: text)]))
            page.add(PageNode(kind: .report, report: PageReport(context: text, filter: SamplePages.filter)))
            page.add(PageNode(kind: .control, control: 0))
            for kind in [PageMarkKind.sector, .bar] {
                let mark = PageMark(
                    kind: kind,
                    series: text,
                    x: PageDatum(text: text),
                    y: PageDatum(number: 5),
                    angle: 1,
                    note: text,
                    says: kind == .bar ? text : nil
                )
                page.add(
                    PageNode(
                        kind: .chart,
                        chart: PageChart(
                            marks: [mark],
                            series: [],
                            x: PageAxis(label: text, categories: [text]),
                            legend: .bottom,
                            control: 1,
                            summary: text,
                            valueName: text,
                            keyName: text
                        )
                    )
                )
            }
        }
        return Page(
            title: text,
            language: "ko",
            zone: nil,
            controls: [
                PageControl(kind: .choice, label: text, options: [text, text], chosen: 0),
                PageControl(kind: .selection, label: text, options: [text, text], chosen: 0),
            ],
            variants: [[0, 0], [1, 0], [0, 1]].map { PageVariant(chosen: $0, nodes: maker.nodes) }
        )
    }

    @Test("Hostile names in a page are escaped in its HTML", arguments: HTMLTests.hostile)
    func escaping(text: String) throws {
        let document = PageHTML.document(hostilePage(text))

        #expect(!document.contains("alert(1)</script>"))
        #expect(!document.contains("<img"))
        #expect(!document.contains("<svg onload"))
        #expect(document.components(separatedBy: "<script").count == 2)
        let isHarmful: (Unicode.Scalar) -> Bool = { scalar in
            (scalar.value < 0x20 && scalar != "\n") || (0x7F...0x9F).contains(scalar.value)
                || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
        #expect(!document.unicodeScalars.contains(where: isHarmful))
    }

    @Test("The HTML of a page is well-formed for a strict parser", .enabled(if: TestProgram.canCheckHTML))
    func wellFormed() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        var pages = Self.hostile.map(hostilePage)
        for language in ["en", "ko"] { pages += [SamplePages.day(language), SamplePages.app(language)] }
        for seed in 0..<40 {
            var samples = PageSamples(seed: UInt64(seed))
            let page = samples.page(seed % 2 == 0 ? "en" : "ko")
            try PageCheck.check(page)
            pages.append(page)
        }
        var paths: [String] = []
        for (index, page) in pages.enumerated() {
            paths.append(scratch.file("\(index).html"))
            let options = HTMLOptions(theme: [.automatic, .light, .dark][index % 3])
            try PageHTML.document(page, options).write(
                toFile: paths[index],
                atomically: true,
                encoding: .utf8
            )
        }

        let checker = BuiltTree.source("Tests/Units/Rendering/check_html.py")
        let (status, output) = try TestProgram.run(TestProgram.python, [checker] + paths, in: scratch)
        #expect(status == 0, "\(output.prefix(4000))")
    }

    @Test("A broken page shows only an error sentence")
    func broken() {
        let page = Page(
            language: "ko",
            controls: [],
            variants: [PageVariant(chosen: [], nodes: [PageNode(kind: .vertical, count: 7)])]
        )

        #expect(PageHTML.document(page).contains("이 페이지를 표시할 수 없습니다."))
        #expect(PageTerminal.lines(page, columns: 80, colour: false) == ["이 페이지를 표시할 수 없습니다."])
    }

    @Test("The choices of a page work without a script")
    func controls() {
        let document = PageHTML.document(SamplePages.app("en"), HTMLOptions(chosen: [1, 0]))

        #expect(
            document.contains("id=\"o0-1\" value=\"1\" aria-label=\"Hours\" autocomplete=\"off\" checked>")
        )
        #expect(document.contains("#v6{display:flex}"))
        #expect(document.contains("html:has(#o0-0:checked):has(#o1-3:checked) #v3{display:flex}"))
        #expect(document.contains("<legend>Show</legend>"))
    }

    @Test("A theme can be requested, and otherwise the reader's system decides")
    func themes() {
        let page = SamplePages.day("en")

        #expect(PageHTML.document(page).contains("(prefers-color-scheme:dark)"))
        #expect(!PageHTML.document(page, HTMLOptions(theme: .dark)).contains("(prefers-color-scheme:dark)"))
        #expect(PageHTML.document(page, HTMLOptions(theme: .dark)).contains("color-scheme:dark"))
    }

    @Test(
        "Text that contrasts too little gets another colour",
        arguments: ["#FFFF00FF", "#FFFFFFFF", "#8E8E9340"]
    )
    func contrast(color: String) throws {
        var maker = PageMaker()
        maker.text("Hello", size: 17, weight: nil, color: PageColor(light: color, dark: "#000000FF"))
        let document = PageHTML.document(maker.page("en"), HTMLOptions(theme: .light))

        let start = try #require(document.range(of: "--c0:"))
        let ink = try #require(RGBAColor(String(document[start.upperBound...].prefix(9))))
        #expect(ink.contrast(on: RGBAColor(red: 1, green: 1, blue: 1)) >= 4.5)
    }

    @Test("Every chart has a table of its values, and every mark has a title")
    func values() {
        let document = PageHTML.document(SamplePages.day("en"))

        #expect(document.components(separatedBy: "<details").count == 4)
        #expect(document.contains("<title>Games: 1 h 50 min, 38%</title>"))
        #expect(document.contains("<th scope=\"row\" dir=\"auto\">Games</th>"))
        #expect(document.contains("role=\"group\" aria-label=\"Use by category; games lead.\""))
    }

    @Test("The HTML of a page with the maximum of marks and views is smaller than 2 MiB")
    func size() {
        let marks = (0..<PageLimits.marks).map { index in
            PageMark(
                kind: .bar,
                x: PageDatum(number: Double(index)),
                y: PageDatum(number: Double(index % 77))
            )
        }
        var nodes = [PageNode(kind: .vertical, count: 4_999)]
        nodes.append(PageNode(kind: .chart, chart: PageChart(marks: marks, series: [])))
        nodes += [PageNode](
            repeating: PageNode(kind: .text, runs: [PageRun(text: "Words of a page")]),
            count: 4_998
        )
        let page = Page(language: "en", controls: [], variants: [PageVariant(chosen: [], nodes: nodes)])

        #expect(PageHTML.document(page).utf8.count < 2 << 20)
        #expect(PageTerminal.lines(page, columns: 80, colour: false).count > 4_998)
    }

    @Test(
        "Pages are written into the folder SCREENTIME_PAGES for inspection",
        .enabled(if: HTMLTests.folder != nil)
    )
    func look() throws {
        let folder = try #require(Self.folder)
        for language in ["en", "ko"] {
            for (name, page) in [("day", SamplePages.day(language)), ("app", SamplePages.app(language))] {
                for theme in [HTMLTheme.light, .dark] {
                    try PageHTML.document(page, HTMLOptions(theme: theme)).write(
                        toFile: "\(folder)/\(name)-\(language)-\(theme).html",
                        atomically: true,
                        encoding: .utf8
                    )
                }
                for columns in [40, 80, 120] {
                    try PageTerminal.lines(page, columns: columns, colour: false).joined(separator: "\n")
                        .write(
                            toFile: "\(folder)/\(name)-\(language)-\(columns).txt",
                            atomically: true,
                            encoding: .utf8
                        )
                }
            }
        }
        for seed in 0..<8 {
            var samples = PageSamples(seed: UInt64(seed))
            try PageHTML.document(samples.page("en")).write(
                toFile: "\(folder)/lot-\(seed).html",
                atomically: true,
                encoding: .utf8
            )
        }
        #expect(TestProgram.exists(folder))
    }

    static let folder = ProcessInfo.processInfo.environment["SCREENTIME_PAGES"]
}
