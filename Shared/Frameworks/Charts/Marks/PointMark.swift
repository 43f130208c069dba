import STContracts

/// A point.
public struct PointMark: ChartContent, PrimitiveChartContent {
    /// It does not consist of others.
    public typealias Body = Never

    private var draft = MarkDraft(.point)

    /// A point at two values.
    public init<X: Plottable, Y: Plottable>(x: PlottableValue<X>, y: PlottableValue<Y>) {
        draft.x = PlotValue(x)
        draft.y = PlotValue(y)
    }

    func plot(_ plot: MarkPlot) throws { try plot.add(draft) }
}
