import STContracts

/// A rectangle between values, or around one.
public struct RectangleMark: ChartContent, PrimitiveChartContent {
    /// It does not consist of others.
    public typealias Body = Never

    private var draft = MarkDraft(.bar)

    /// Between four values.
    public init<X: Plottable, Y: Plottable>(
        xStart: PlottableValue<X>,
        xEnd: PlottableValue<X>,
        yStart: PlottableValue<Y>,
        yEnd: PlottableValue<Y>
    ) {
        draft.x = PlotValue(xStart)
        draft.xEnd = PlotValue(xEnd)
        draft.y = PlotValue(yStart)
        draft.yEnd = PlotValue(yEnd)
    }

    /// At one place, between two values.
    public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>,
        yStart: PlottableValue<Y>,
        yEnd: PlottableValue<Y>,
        width: MarkDimension = .automatic
    ) {
        draft.x = PlotValue(x)
        draft.y = PlotValue(yStart)
        draft.yEnd = PlotValue(yEnd)
        draft.width = width
    }

    /// Between two values, at one place.
    public init<X: Plottable, Y: Plottable>(
        xStart: PlottableValue<X>,
        xEnd: PlottableValue<X>,
        y: PlottableValue<Y>,
        height: MarkDimension = .automatic
    ) {
        draft.x = PlotValue(xStart)
        draft.xEnd = PlotValue(xEnd)
        draft.y = PlotValue(y)
        draft.width = height
    }

    func plot(_ plot: MarkPlot) throws { try plot.add(draft) }
}
