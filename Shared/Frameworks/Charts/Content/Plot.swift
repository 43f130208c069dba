/// Marks that stand for one thing.
public struct Plot<Content: ChartContent>: ChartContent, PrimitiveChartContent {
    /// It is what is within.
    public typealias Body = Never

    private let content: Content

    /// What the closure has.
    public init(@ChartContentBuilder content: () -> Content) { self.content = content() }

    func plot(_ plot: MarkPlot) throws { try plot.lower(content) }
}
