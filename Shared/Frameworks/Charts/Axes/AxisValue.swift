/// A value of an axis.
public struct AxisValue: Sendable {
    /// Which it is, from 0.
    public let index: Int

    /// How many there are.
    public let count: Int

    let datum: PlotDatum

    init(_ datum: PlotDatum, index: Int = 0, count: Int = 1) {
        self.datum = datum
        self.index = index
        self.count = count
    }

    /// What it stands for, if it is of that type.
    public func `as`<P: Plottable>(_ type: P.Type) -> P? { datum.value(as: type) }
}
