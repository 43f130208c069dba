/// One step of an outline; curves are cubic, so that SVG and cairo draw the same.
package enum ChartStep: Sendable, Equatable {
    case move(ChartPoint)
    case line(ChartPoint)
    case curve(ChartPoint, ChartPoint, ChartPoint)
    case close
}
