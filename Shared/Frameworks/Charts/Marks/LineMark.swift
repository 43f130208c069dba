import STContracts

/// A point that a line goes through.
public struct LineMark: ChartContent, PrimitiveChartContent {
    /// It does not consist of others.
    public typealias Body = Never

    private var draft = MarkDraft(.line)

    /// A point of the one line, or of that of its colour.
    public init<X: Plottable, Y: Plottable>(x: PlottableValue<X>, y: PlottableValue<Y>) {
        draft.x = PlotValue(x)
        draft.y = PlotValue(y)
    }

    /// A point of the line of that name.
    public init<X: Plottable, Y: Plottable, S: Plottable>(
        x: PlottableValue<X>,
        y: PlottableValue<Y>,
        series: PlottableValue<S>
    ) {
        self.init(x: x, y: y)
        draft.series = PlotValue(series)
    }

    func plot(_ plot: MarkPlot) throws { try plot.add(draft) }
}
