import STContracts
import STPlatform
import STRendering
import Testing

@testable import SwiftUICore

@Suite("Reports on an app's page")
@MainActor
struct PageReportsTests {
    private func text(_ words: String) -> PageNode { PageNode(kind: .text, runs: [PageRun(text: words)]) }

    private func report(_ context: String) -> PageReport {
        PageReport(
            context: context,
            filter: ReportFilter(
                segment: .day,
                fromWallMs: 0,
                toWallMs: 86_400_000,
                applications: [],
                categories: [],
                webDomains: []
            )
        )
    }

    /// A page with a switch between two reports.
    private func switching() -> Page {
        let variants = ["pie", "bar"].enumerated().map { index, context in
            PageVariant(
                chosen: [index],
                nodes: [
                    PageNode(kind: .vertical, count: 2), PageNode(kind: .control, control: 0),
                    PageNode(kind: .report, report: report(context)),
                ]
            )
        }
        let control = PageControl(kind: .choice, label: "Chart", options: ["Pie", "Bars"], chosen: 0)
        return Page(language: "en", controls: [control], variants: variants)
    }

    private func words(_ variant: PageVariant) -> [String] {
        variant.nodes.flatMap { $0.runs ?? [] }.map(\.text)
    }

    @Test("A page requests each report once and shows it in its place")
    func places() async throws {
        var asked: [String] = []
        let reports = PageReports(language: "en") { report in
            asked.append(report.context)
            return Page(
                language: "en",
                controls: [],
                variants: [PageVariant(chosen: [], nodes: [self.text("the \(report.context)")])]
            )
        }
        let page = try await reports.page(switching())

        #expect(asked == ["pie", "bar"])
        #expect(page.variants.map(words) == [["the pie"], ["the bar"]])
        #expect(page.variants.map(\.chosen) == [[0], [1]])
        #expect(page.variants.flatMap(\.nodes).allSatisfy { $0.report == nil })
    }

    @Test("A page shows the problem of a failed report and the other reports")
    func problem() async throws {
        let reports = PageReports(language: "en") { report in
            guard report.context == "bar" else { throw Problem("report.crashed", "It crashed.") }
            return Page(
                language: "en",
                controls: [],
                variants: [PageVariant(chosen: [], nodes: [self.text("bar")])]
            )
        }
        let page = try await reports.page(switching())

        #expect(words(page.variants[0]) == ["pie: It crashed. [report.crashed]"])
        #expect(words(page.variants[1]) == ["bar"])
    }

    @Test("A page includes the controls of its reports with every combination")
    func controls() async throws {
        let reports = PageReports(language: "en") { report in
            let options = report.context == "pie" ? ["nothing", "one", "two"] : []
            let control = PageControl(kind: .selection, label: "Sector", options: options, chosen: 0)
            let nodes =
                options.isEmpty
                ? [[self.text("bars")]]
                : options.map { option in
                    [
                        PageNode(kind: .vertical, count: 2), self.text(option),
                        PageNode(kind: .chart, chart: PageChart(marks: [], series: [], control: 0)),
                    ]
                }
            return Page(
                language: "en",
                controls: options.isEmpty ? [] : [control],
                variants: nodes.enumerated().map { index, nodes in
                    PageVariant(chosen: options.isEmpty ? [] : [index], nodes: nodes)
                }
            )
        }
        let page = try await reports.page(switching())

        #expect(page.controls.map(\.label) == ["Chart", "Sector"])
        #expect(page.variants.map(\.chosen) == [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]])
        #expect(page.variants.map(words) == [["nothing"], ["one"], ["two"], ["bars"], ["bars"], ["bars"]])
        // The report's first control becomes the second control of the page.
        #expect(page.variants[0].nodes.compactMap { $0.chart?.control } == [1])
    }

    @Test("A report keeps its first state if the combinations of all choices are too many")
    func tooMany() async throws {
        let reports = PageReports(language: "en") { _ in
            let options = (0..<20).map { "option \($0)" }
            let control = PageControl(kind: .choice, label: "Many", options: options, chosen: 0)
            return Page(
                language: "en",
                controls: [control],
                variants: options.indices.map { index in
                    PageVariant(chosen: [index], nodes: [PageNode(kind: .control, control: 0)])
                }
            )
        }
        let page = try await reports.page(switching())

        #expect(page.controls.count == 1)
        #expect(page.variants.count == 2)
        #expect(words(page.variants[0]) == ["option 0"])
    }

    /// A page with `bytes` of text in each of two choices.
    private func saying(_ bytes: Int, _ label: String) -> Page {
        let control = PageControl(kind: .choice, label: label, options: ["a", "b"], chosen: 0)
        let words = String(repeating: "x", count: bytes)
        return Page(
            language: "en",
            controls: [control],
            variants: (0..<2).map { index in
                PageVariant(
                    chosen: [index],
                    nodes: [
                        PageNode(kind: .vertical, count: 2), PageNode(kind: .control, control: 0),
                        text(words),
                    ]
                )
            }
        )
    }

    @Test("The choices of the last report are dropped first if the page is too long")
    func tooMuch() async throws {
        let most = PageLimits.textBytes
        // Two reports with two choices each would be four variants with both texts.
        let reports = PageReports(language: "en") { saying(most / 8, $0.context) }
        let nodes = [
            PageNode(kind: .vertical, count: 2), PageNode(kind: .report, report: report("pie")),
            PageNode(kind: .report, report: report("bar")),
        ]
        let page = Page(language: "en", controls: [], variants: [PageVariant(chosen: [], nodes: nodes)])
        let merged = try await reports.page(page)
        #expect(merged.controls.map(\.label) == ["pie"])
        #expect(merged.variants.map(\.chosen) == [[0], [1]])
        try PageCheck.check(merged)

        let endless = PageReports(language: "en") { saying(most * 3 / 4, $0.context) }
        let problem = await #expect(throws: Problem.self) { try await endless.page(page) }
        #expect(problem?.code == "page.text")
    }

    @Test("PageMerging counts the root nodes of a page")
    func roots() {
        let nodes = [
            PageNode(kind: .vertical, count: 2), text("a"), PageNode(kind: .vertical, count: 1), text("b"),
            text("c"),
        ]
        #expect(PageMerging.roots(nodes) == 2)
        #expect(PageMerging.roots([]) == 0)
    }
}
