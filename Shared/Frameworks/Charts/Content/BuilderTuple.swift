/// Several marks.
public struct BuilderTuple<T>: ChartContent, PrimitiveChartContent {
    /// It is its parts.
    public typealias Body = Never

    private let all: [any ChartContent]

    init(_ all: [any ChartContent]) { self.all = all }

    func plot(_ plot: MarkPlot) throws {
        for part in all { try plot.lower(part) }
    }
}
