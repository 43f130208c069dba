/// A line of the grid.
package struct ChartLine: Sendable, Equatable {
    package var from: ChartPoint
    package var to: ChartPoint
    /// Where the axis itself is.
    package var isBase: Bool
}
