/// An upright rectangle of a chart.
package struct ChartRect: Sendable, Equatable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package var right: Double { x + width }
    package var bottom: Double { y + height }
    package var middle: ChartPoint { ChartPoint(x + width / 2, y + height / 2) }

    package func overlaps(_ other: ChartRect) -> Bool {
        x < other.right && other.x < right && y < other.bottom && other.y < bottom
    }

    /// Whether all of another one lies in it, give or take a rounding.
    package func holds(_ other: ChartRect) -> Bool {
        other.x >= x - 0.01 && other.y >= y - 0.01 && other.right <= right + 0.01
            && other.bottom <= bottom + 0.01
    }
}
