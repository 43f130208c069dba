import STContracts
import STFoundationTypes
import STPlatform
import SwiftUICore

/// Collects the marks of a chart.
@MainActor
final class MarkPlot {
    /// Content that consists of itself would have no end.
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

    /// Does something to each mark that the closure adds.
    func each(_ work: () throws -> Void, _ change: (inout MarkDraft) throws -> Void) throws {
        let first = marks.count
        try work()
        for index in first..<marks.count { try change(&marks[index]) }
    }

    /// What was said already: a page is evaluated many times.
    private static var told = Set<String>()
    private static let toldMost = 100

    /// Says what could not be drawn.
    func tellFlaws() {
        for (flaw, count) in flaws.sorted(by: { $0.key < $1.key })
        where Self.told.count < Self.toldMost && Self.told.insert("\(count) \(flaw)").inserted {
            FrameworkLog.drawing.error("\(count) marks of a chart are not drawn, because of \(flaw)")
        }
    }

    static let tooMany = Problem(
        "page.too_large",
        "A chart takes \(PageLimits.marks) marks, and this one has more. Show fewer of them, or put several together."
    )
}
