import SwiftUICore

/// What stands at one value of an axis.
@MainActor
struct AxisTickDraft {
    /// A part that consists of itself would have no end.
    private static let levelsMax = 50

    /// Whether the value has words.
    var isLabelled = false
    var hasLine = false
    /// Other words than those of the value.
    var view: AnyView?
    var format: ((PlotDatum) -> String?)?
    var unit: AxisUnit?
    private var level = 0

    init() {}

    mutating func add<Mark: AxisMark>(_ mark: Mark) {
        level += 1
        defer { level -= 1 }
        guard level <= Self.levelsMax else { return }
        if let primitive = mark as? any PrimitiveAxisMark { return primitive.put(&self) }
        add(mark.body)
    }
}
