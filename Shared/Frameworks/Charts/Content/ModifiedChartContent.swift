import SwiftUICore

/// Marks with something done to them.
struct ModifiedChartContent<Content: ChartContent>: ChartContent, PrimitiveChartContent {
    typealias Body = Never

    let content: Content
    let change: @MainActor (inout MarkDraft, PageWriter) throws -> Void

    func plot(_ plot: MarkPlot) throws {
        try plot.each {
            try plot.lower(content)
        } _: {
            try change(&$0, plot.page)
        }
    }
}

extension ChartContent {
    func marked(
        _ change: @escaping @MainActor (inout MarkDraft, PageWriter) throws -> Void
    ) -> ModifiedChartContent<Self> {
        ModifiedChartContent(content: self, change: change)
    }

    /// Only what has not been said nearer to the mark.
    func styled<Value>(_ path: WritableKeyPath<MarkDraft, Value?>, _ value: Value?) -> ModifiedChartContent<
        Self
    > {
        marked { mark, _ in
            if mark[keyPath: path] == nil { mark[keyPath: path] = value }
        }
    }
}
