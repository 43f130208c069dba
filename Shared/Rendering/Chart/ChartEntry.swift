package import STContracts

/// One colour of a chart with its name.
package struct ChartEntry: Sendable, Equatable {
    package var name: String
    package var color: PageColor
    /// How much of the whole, where pieces of a pie have a name each.
    package var part: String?
    package var value: String?
    /// Where its colour is shown, when the legend is part of the picture.
    package var swatch: ChartRect?
}
