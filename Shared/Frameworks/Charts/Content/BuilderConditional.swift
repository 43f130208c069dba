/// One of two.
public struct BuilderConditional<First: ChartContent, Second: ChartContent>: ChartContent,
    PrimitiveChartContent
{
    /// It is the one or the other.
    public typealias Body = Never

    private let first: First?
    private let second: Second?

    init(first: First?, second: Second?) {
        self.first = first
        self.second = second
    }

    func plot(_ plot: MarkPlot) throws {
        if let first { try plot.lower(first) }
        if let second { try plot.lower(second) }
    }
}
