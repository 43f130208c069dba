/// No marks.
public struct EmptyChartContent: ChartContent, PrimitiveChartContent {
    /// It consists of nothing.
    public typealias Body = Never

    init() {}

    func plot(_ plot: MarkPlot) {}
}
