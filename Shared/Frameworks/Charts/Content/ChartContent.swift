/// A part of a chart.
@MainActor @preconcurrency
public protocol ChartContent {
    /// What it consists of.
    associatedtype Body: ChartContent

    /// What it consists of.
    @ChartContentBuilder var body: Body { get }
}

extension ChartContent where Body == Never {
    /// Not to be asked for: this is a mark.
    public var body: Never { preconditionFailure("\(Self.self) does not consist of other marks.") }
}

extension Never: ChartContent {
    /// There is none.
    public var body: Never { preconditionFailure("Nothing does not consist of anything.") }
}

/// A mark, or what puts marks in a chart itself.
@MainActor
protocol PrimitiveChartContent {
    func plot(_ plot: MarkPlot) throws
}
