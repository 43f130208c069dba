import Foundation
import STContracts
import STFoundationTypes
import STPlatform
import SwiftUICore

/// Collects the marks of a chart.
@MainActor
final class MarkPlot {
    /// The maximum depth of nested content. It ends the recursion if content contains itself.
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

    /// Changes each mark that `work` adds.
    func each(_ work: () throws -> Void, _ change: (inout MarkDraft) throws -> Void) throws {
        let first = marks.count
        try work()
        for index in first..<marks.count { try change(&marks[index]) }
    }

    /// The messages that are already in the log. A page is evaluated many times, so each message is logged only once.
    private static var told = Set<String>()
    private static let toldMost = 100

    /// Logs the number of marks that cannot be drawn, for each reason.
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

/// A mark under construction.
///
/// An outer modifier sets only the properties that the mark and its inner modifiers did not set.
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
    /// The value represented by the colour.
    var style: PlotValue?
    /// The series of a line or area. It joins the points of one series, whatever their colour.
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

    /// The reason why the mark cannot be drawn. `nil` if it can be drawn.
    var flaw: String? {
        guard values.allSatisfy({ $0.start.isDrawable && ($0.end?.isDrawable ?? true) }) else {
            return "a value that is not a number, or far too large"
        }
        guard kind == .sector else { return nil }
        guard let angle = angle?.size else { return "an angle that is not a number" }
        return angle < 0 ? "a negative angle" : nil
    }
}
