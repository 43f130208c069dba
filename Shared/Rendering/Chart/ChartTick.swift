/// A place on an axis that has a name.
struct ChartTick: Equatable {
    /// On the scale.
    var value: Double
    var text: String
}
