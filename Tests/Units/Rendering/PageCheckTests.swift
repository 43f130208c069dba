import STContracts
import STPlatform
import STRendering
import Testing

@Suite("The check of a page")
struct PageCheckTests {
    private func text(_ text: String = "Hello") -> PageNode {
        PageNode(kind: .text, runs: [PageRun(text: text)])
    }

    private func page(_ nodes: [PageNode]) -> Page {
        Page(language: "en", controls: [], variants: [PageVariant(chosen: [], nodes: nodes)])
    }

    private func code(_ page: Page) -> String? {
        do {
            try PageCheck.check(page)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("A valid page is accepted")
    func whole() {
        #expect(code(SamplePages.day("ko")) == nil)
        #expect(code(SamplePages.app("en")) == nil)
        #expect(code(page([])) == nil)
    }

    @Test("A page with wrong counts of children is rejected")
    func counts() {
        #expect(code(page([PageNode(kind: .vertical, count: 2), text()])) == "page.tree")
        #expect(code(page([PageNode(kind: .vertical, count: -1), text()])) == "page.tree")
        #expect(code(page([PageNode(kind: .vertical, count: .max), text()])) == "page.tree")
        #expect(code(page([PageNode(kind: .box, count: 2), text(), text()])) == "page.node")
        #expect(code(page([PageNode(kind: .over, count: 1), text()])) == "page.node")
        #expect(code(page([PageNode(kind: .text)])) == "page.node")
        #expect(code(page([PageNode(kind: .vertical, count: 1), text(), text()])) == nil)
    }

    @Test("A page may have 200 levels, and a deeper one is rejected without a crash")
    func depth() {
        func nested(_ depth: Int) -> Page {
            page([PageNode](repeating: PageNode(kind: .box, count: 1), count: depth - 1) + [text()])
        }

        #expect(code(nested(PageLimits.depth)) == nil)
        #expect(code(nested(PageLimits.depth + 1)) == "page.depth")
        #expect(code(nested(PageLimits.nodes)) == "page.depth")
        #expect(code(nested(10_000)) == "page.nodes")
    }

    @Test("A page with too many views, marks or variants or too much text is rejected")
    func limits() {
        let marks = [PageMark](repeating: PageMark(kind: .bar), count: PageLimits.marks + 1)
        let chart = PageNode(kind: .chart, chart: PageChart(marks: marks, series: []))
        var many = page([text()])
        many.variants = [PageVariant](repeating: many.variants[0], count: PageLimits.variants + 1)

        #expect(code(page([PageNode](repeating: text(""), count: PageLimits.nodes + 1))) == "page.nodes")
        #expect(code(page([text(String(repeating: "가", count: 10_000_000 / 3))])) == "page.text")
        #expect(code(page([chart])) == "page.marks")
        #expect(code(many) == "page.variants")
    }

    @Test(
        "A page with an invalid number is rejected",
        arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e18]
    )
    func numbers(value: Double) {
        let box = PageBox(padding: PageEdges(top: value, leading: 0, bottom: 0, trailing: 0))
        let mark = PageMark(kind: .bar, y: PageDatum(number: value))
        let axis = PageAxis(from: value)
        let font = PageRun(text: "", font: PageFont(size: value))

        #expect(code(page([PageNode(kind: .box, count: 1, box: box), text()])) == "page.number")
        #expect(code(page([PageNode(kind: .spacer, length: value)])) == "page.number")
        #expect(code(page([PageNode(kind: .progress, value: value)])) == "page.number")
        #expect(code(page([PageNode(kind: .text, runs: [font])])) == "page.number")
        #expect(
            code(page([PageNode(kind: .chart, chart: PageChart(marks: [mark], series: []))])) == "page.number"
        )
        #expect(
            code(page([PageNode(kind: .chart, chart: PageChart(marks: [], series: [], x: axis))]))
                == "page.number"
        )
    }

    @Test(
        "A page with an invalid colour is rejected",
        arguments: ["red", "#FFF", "#FFFFFF", "#GGGGGGFF", "url(x)", "#FFFFFFFF;"]
    )
    func colours(color: String) {
        let bad = PageColor(light: "#000000FF", dark: color)

        #expect(code(page([PageNode(kind: .text, runs: [PageRun(text: "", color: bad)])])) == "page.color")
        #expect(
            code(
                page([
                    PageNode(
                        kind: .shape,
                        shape: PageShape(kind: .circle, fill: PagePaint(kind: .color, color: bad))
                    )
                ])
            )
                == "page.color"
        )
    }

    @Test("A page with an invalid picture or path is rejected")
    func pictures() {
        func image(_ data: String) -> Page {
            page([PageNode(kind: .image, image: PageImage(kind: .data, data: data))])
        }
        let path = PageShape(kind: .path, path: "M0 0\"><script>")

        #expect(code(image("iVBORw0KGgoAAAA=")) == nil)
        #expect(code(image("PHN2Zz4=")) == "page.image")
        #expect(code(image("iVBORw0KGgo\" onload=\"x")) == "page.image")
        #expect(code(page([PageNode(kind: .shape, shape: path)])) == "page.path")
    }

    @Test("A page whose controls do not match its variants is rejected")
    func controls() {
        var two = SamplePages.app("en")
        two.variants[1].chosen = two.variants[0].chosen
        var outside = SamplePages.app("en")
        outside.variants[1].chosen = [0, 99]
        var first = SamplePages.app("en")
        first.controls[0].chosen = 1
        var none = SamplePages.app("en")
        none.controls[0].options = []

        #expect(code(two) == "page.variants")
        #expect(code(outside) == "page.variants")
        #expect(code(first) == "page.variants")
        #expect(code(none) == "page.control")
        #expect(code(page([PageNode(kind: .control, control: 0)])) == "page.control")
    }

    @Test("A page with an invalid language or an ambiguous value is rejected")
    func values() {
        var page = page([text()])
        page.language = "en\"><script>"
        let mark = PageMark(kind: .bar, x: PageDatum(number: 1, text: "one"))

        #expect(code(page) == "page.language")
        #expect(
            code(self.page([PageNode(kind: .chart, chart: PageChart(marks: [mark], series: []))]))
                == "page.datum"
        )
    }

    @Test("The tree of a page contains the children and parents of each node")
    func children() throws {
        let tree = try PageTree([
            PageNode(kind: .vertical, count: 2), PageNode(kind: .horizontal, count: 2), text(), text(),
            text(),
            text(),
        ])

        #expect(tree.roots == [0, 5])
        #expect(tree.children(of: 0) == [1, 4])
        #expect(tree.children(of: 1) == [2, 3])
        #expect(tree.parents == [-1, 0, 1, 1, 0, -1])
    }
}
