/// Letters in a chart.
package struct ChartLabel: Sendable, Equatable {
    package enum Role: String, Sendable {
        case axis, title, note, legend
    }

    package var text: String
    /// What it takes.
    package var rect: ChartRect
    package var size: Double
    package var role: Role
    /// Where its letters begin in `rect`: 0 left, 0.5 in the middle, 1 right.
    package var anchor: Double

    /// Where the letters stand.
    package var baseline: Double { rect.y + rect.height * 0.78 }
    package var anchorX: Double { rect.x + rect.width * anchor }
}
