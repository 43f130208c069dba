public import Foundation
import STContracts

/// A straight line across the chart, or a part of it.
public struct RuleMark: ChartContent, PrimitiveChartContent {
    /// It does not consist of others.
    public typealias Body = Never

    private var draft = MarkDraft(.rule)

    /// From the bottom to the top.
    public init<X: Plottable>(x: PlottableValue<X>, yStart: CGFloat? = nil, yEnd: CGFloat? = nil) {
        draft.x = PlotValue(x)
    }

    /// From one side to the other.
    public init<Y: Plottable>(xStart: CGFloat? = nil, xEnd: CGFloat? = nil, y: PlottableValue<Y>) {
        draft.y = PlotValue(y)
    }

    /// From one value to another, upwards.
    public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>,
        yStart: PlottableValue<Y>,
        yEnd: PlottableValue<Y>
    ) {
        draft.x = PlotValue(x)
        draft.y = PlotValue(yStart)
        draft.yEnd = PlotValue(yEnd)
    }

    /// From one value to another, to the side.
    public init<X: Plottable, Y: Plottable>(
        xStart: PlottableValue<X>,
        xEnd: PlottableValue<X>,
        y: PlottableValue<Y>
    ) {
        draft.x = PlotValue(xStart)
        draft.xEnd = PlotValue(xEnd)
        draft.y = PlotValue(y)
    }

    func plot(_ plot: MarkPlot) throws { try plot.add(draft) }
}
