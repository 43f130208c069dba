import STContracts

/// A point on the edge of an area.
public struct AreaMark: ChartContent, PrimitiveChartContent {
    /// It does not consist of others.
    public typealias Body = Never

    private var draft = MarkDraft(.area)

    /// From nothing to a value; areas stand on each other.
    public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>,
        y: PlottableValue<Y>,
        stacking: MarkStackingMethod = .standard
    ) {
        draft.x = PlotValue(x)
        draft.y = PlotValue(y)
        draft.stacking = stacking
    }

    /// From nothing to a value, in the area of that name.
    public init<X: Plottable, Y: Plottable, S: Plottable>(
        x: PlottableValue<X>,
        y: PlottableValue<Y>,
        series: PlottableValue<S>,
        stacking: MarkStackingMethod = .standard
    ) {
        self.init(x: x, y: y, stacking: stacking)
        draft.series = PlotValue(series)
    }

    /// From one value to another.
    public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>,
        yStart: PlottableValue<Y>,
        yEnd: PlottableValue<Y>
    ) {
        draft.x = PlotValue(x)
        draft.y = PlotValue(yStart)
        draft.yEnd = PlotValue(yEnd)
    }

    /// From one value to another, in the area of that name.
    public init<X: Plottable, Y: Plottable, S: Plottable>(
        x: PlottableValue<X>,
        yStart: PlottableValue<Y>,
        yEnd: PlottableValue<Y>,
        series: PlottableValue<S>
    ) {
        self.init(x: x, yStart: yStart, yEnd: yEnd)
        draft.series = PlotValue(series)
    }

    func plot(_ plot: MarkPlot) throws { try plot.add(draft) }
}
