/// A piece of a pie: angles go round with the clock from the top, in radians.
package struct ChartSector: Sendable, Equatable {
    package var center: ChartPoint
    package var inner: Double
    package var outer: Double
    package var from: Double
    package var to: Double
    /// How far its edges are moved away from those of its neighbours.
    package var inset: Double
    package var corner: Double

    package var middle: ChartPoint { .around(center, (inner + outer) / 2, (from + to) / 2) }

    /// Its outline.
    package var path: [ChartStep] {
        let pen = ChartPen()
        guard outer > 0, to > from else { return [] }
        if to - from >= 2 * Double.pi - 1e-9 { return pen.ring(center, inner, outer) }
        let half = (to - from) / 2
        // The edges stay parallel to where they were: near the middle that is more of an angle.
        let outerShift = PageMath.arcSine(inset / outer)
        guard outerShift < half else { return [] }
        let start = from + outerShift
        let end = to - outerShift
        var hole = inner
        var holeShift = inner > 0 ? PageMath.arcSine(inset / inner) : half
        if holeShift >= half || inner <= inset {
            // The edges meet before they reach the hole.
            hole = half < .pi / 2 ? max(inner, inset / max(PageMath.sine(half), 1e-6)) : inner
            holeShift = half
        }
        guard hole < outer else { return [] }
        let room = min((outer - hole) / 2, (end - start) * outer / 2)
        return pen.slice(
            self,
            outside: (start, end),
            inside: (from + holeShift, to - holeShift),
            hole: hole,
            corner: min(corner, room)
        )
    }
}
