public import Foundation
import STContracts

/// A slice of a pie or a ring.
public struct SectorMark: ChartContent, PrimitiveChartContent {
    /// It does not consist of others.
    public typealias Body = Never

    private let draft: MarkDraft

    /// A slice as large as the value's part of all of them.
    public init<Value: Plottable>(
        angle: PlottableValue<Value>,
        innerRadius: MarkDimension = .automatic,
        outerRadius: MarkDimension = .automatic,
        angularInset: CGFloat? = nil
    ) {
        var draft = MarkDraft(.sector)
        draft.angle = PlotValue(angle)
        draft.inner = innerRadius
        draft.outer = outerRadius
        draft.inset = angularInset
        self.draft = draft
    }

    func plot(_ plot: MarkPlot) throws { try plot.add(draft) }
}
