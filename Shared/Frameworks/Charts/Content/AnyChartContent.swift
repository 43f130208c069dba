/// Marks of which nobody needs to know the kind.
public struct AnyChartContent: ChartContent, PrimitiveChartContent {
    /// It is what is within.
    public typealias Body = Never

    private let content: any ChartContent

    /// Any marks.
    public init(_ content: some ChartContent) { self.content = content }

    /// Any marks.
    public init(erasing content: some ChartContent) { self.content = content }

    func plot(_ plot: MarkPlot) throws { try plot.lower(content) }
}
