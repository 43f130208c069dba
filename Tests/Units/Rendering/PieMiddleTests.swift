import Foundation
import STContracts
import STPlatform
import STRendering
import STTestSupport
import Testing

/// A total in a ring must be in the middle of the ring for any position of the legend.
@Suite("Views over a pie", .timeLimit(.minutes(10)))
struct PieMiddleTests {
    private static func page(_ legend: PageLegend) -> Page {
        var chart = SamplePages.pie("en")
        chart.legend = legend
        var maker = PageMaker()
        maker.box(PageBox(frame: PageFrame(height: 300, fillsWidth: true))) { box in
            box.inside(PageNode(kind: .over)) { over in
                over.inside(PageNode(kind: .behind)) { behind in
                    behind.add(PageNode(kind: .chart, chart: chart))
                    behind.add(PageNode(kind: .shape, shape: PageShape(kind: .circle)))
                }
                over.text("4 h 46 min", size: 20, weight: 700)
            }
        }
        return maker.page("en")
    }

    @Test("The style sheet marks figures with a pie", arguments: [PageLegend.bottom, .hidden])
    func sheet(legend: PageLegend) {
        let document = PageHTML.document(Self.page(legend))
        #expect(document.contains(legend == .hidden ? "class=\"o pi pin" : "class=\"o pi"))
        let bars = PageHTML.document(SamplePages.day("en"))
        #expect(!bars.contains("class=\"o pi"))
    }

    /// `SCREENTIME_PICTURES=folder` stores the documents for inspection.
    @Test(
        "A browser shows a text over a pie in the middle of its ring",
        .enabled(if: TestProgram.exists(TestProgram.chromium)),
        arguments: [PageLegend.bottom, .top, .leading, .trailing, .hidden]
    )
    func browser(legend: PageLegend) throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let document = PageHTML.document(Self.page(legend))
        if let folder = ProcessInfo.processInfo.environment["SCREENTIME_PICTURES"] {
            try document.write(
                toFile: "\(folder)/pie-\(legend.rawValue).html",
                atomically: true,
                encoding: .utf8
            )
        }
        let ask = """
            <script>
            var middle=function(e){var r=e.getBoundingClientRect();return [r.x+r.width/2,r.y+r.height/2]};
            var text=[...document.querySelectorAll('main .ov .t')].find(e=>e.textContent.includes('4 h 46'));
            var a=middle(document.querySelector('main figure>svg')),b=middle(text);
            var s=document.createElement('pre');s.id='said';
            s.textContent=Math.round(Math.abs(a[0]-b[0]))+'|'+Math.round(Math.abs(a[1]-b[1]));
            document.body.appendChild(s);
            </script></body>
            """
        let open = TestProgram.withoutPolicy(document).replacing("</body>", with: ask)
        let after = try TestProgram.browse(open, in: scratch)
        let said = after.components(separatedBy: "<pre id=\"said\">").last?.prefix { $0 != "<" } ?? ""
        let distances = said.split(separator: "|").compactMap { Int($0) }
        #expect(distances.count == 2 && distances.allSatisfy { $0 <= 1 }, "\(said)")
    }
}
