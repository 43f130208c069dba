package import STContracts

/// What is drawn of a chart's marks.
package struct ChartShape: Sendable, Equatable {
    /// Which mark it is; nil for a line through many.
    package var mark: Int?
    package var path: [ChartStep]
    /// As wide a line along the path; nil fills it.
    package var lineWidth: Double?
    package var paint: PagePaint
    package var opacity: Double
    /// Which entry of the legend has its colour.
    package var entry: Int?
    /// Of a bar.
    package var rect: ChartRect?
    /// Of a piece of a pie.
    package var sector: ChartSector?
    /// What is said instead: of a mark.
    package var says: String
}
