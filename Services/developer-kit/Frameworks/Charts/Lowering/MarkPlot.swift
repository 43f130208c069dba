import Foundation
import STContracts
import STFoundationTypes
import STPlatform
import SwiftUICore

/// Collects the marks of a chart.
@MainActor
final class MarkPlot {
    /// Content that contains itself would never end.
    private static let levelsMax = 200

    let page: PageWriter
    private(set) var marks: [MarkDraft] = []
    private var level = 0
    private var flaws: [String: Int] = [:]

    init(_ page: PageWriter) { self.page = page }

    func lower<Content: ChartContent>(_ content: Content) throws {
        level += 1
        defer { level -= 1 }
        guard level <= Self.levelsMax else { throw PageProblem.tooDeep }
        if let primitive = content as? any PrimitiveChartContent { return try primitive.plot(self) }
        try lower(content.body)
    }

    func add(_ mark: MarkDraft) throws {
        if let flaw = mark.flaw {
            flaws[flaw, default: 0] += 1
            return
        }
        guard marks.count < PageLimits.marks else { throw Self.tooMany }
        marks.append(mark)
    }

    /// Changes each mark that the closure adds.
    func each(_ work: () throws -> Void, _ change: (inout MarkDraft) throws -> Void) throws {
        let first = marks.count
        try work()
        for index in first..<marks.count { try change(&marks[index]) }
    }

    /// Messages already logged: a page is evaluated many times.
    private static var told = Set<String>()
    private static let toldMost = 100

    /// Logs the marks that could not be drawn.
    func tellFlaws() {
        for (flaw, count) in flaws.sorted(by: { $0.key < $1.key })
        where Self.told.count < Self.toldMost && Self.told.insert("\(count) \(flaw)").inserted {
            FrameworkLog.drawing.error("\(count) marks of a chart are not drawn, because of \(flaw)")
        }
    }

    static let tooMany = Problem(
        "page.too_large",
        """
        A chart can have at most \(PageLimits.marks, "marks") marks. Show fewer marks, or combine several \
        into one.
        """,
        key: "page.too_large.a-chart-takes"
    )
}

/// A mark on its way to the page.
///
/// An outer modifier only sets what the mark and inner modifiers have left open.
struct MarkDraft {
    var kind: PageMarkKind
    var x: PlotValue?
    var xEnd: PlotValue?
    var y: PlotValue?
    var yEnd: PlotValue?
    var angle: PlotValue?
    var inner: MarkDimension?
    var outer: MarkDimension?
    var inset: CGFloat?
    var width: MarkDimension?
    var stacking: MarkStackingMethod?
    /// The value that the colour stands for.
    var style: PlotValue?
    /// Lines and areas join the points of one series, of all colours.
    var series: PlotValue?
    var position: PlotValue?
    var paint: PagePaint?
    var opacity: Double?
    var corner: CGFloat?
    var lineWidth: CGFloat?
    var note: String?
    var says: String?
    var saysValue: String?
    var isSilent: Bool?

    init(_ kind: PageMarkKind) { self.kind = kind }

    private var values: [PlotValue] { [x, xEnd, y, yEnd, angle].compactMap { $0 } }

    /// Why the mark cannot be drawn; nil when it can.
    var flaw: String? {
        guard values.allSatisfy({ $0.start.isDrawable && ($0.end?.isDrawable ?? true) }) else {
            return "a value that is not a number, or far too large"
        }
        guard kind == .sector else { return nil }
        guard let angle = angle?.size else { return "an angle that is not a number" }
        return angle < 0 ? "a negative angle" : nil
    }
}
