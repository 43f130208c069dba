/// A place in a chart, in points from its upper left corner.
package struct ChartPoint: Sendable, Equatable {
    package var x: Double
    package var y: Double

    package init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }

    /// At an angle that goes round with the clock from the top.
    static func around(_ center: ChartPoint, _ radius: Double, _ angle: Double) -> ChartPoint {
        ChartPoint(center.x + radius * PageMath.sine(angle), center.y - radius * PageMath.cosine(angle))
    }
}
