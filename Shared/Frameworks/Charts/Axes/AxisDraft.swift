import SwiftUICore

/// What stands along an axis.
@MainActor
struct AxisDraft {
    /// Content that consists of itself would have no end.
    private static let levelsMax = 50

    struct Part {
        var values: AxisMarkValues
        /// What stands at a value; nil is its words and a line.
        var tick: ((AxisValue) -> AxisTickDraft)?
    }

    private(set) var parts: [Part] = []
    private var level = 0

    init(_ content: some AxisContent) { add(content) }

    mutating func add<Content: AxisContent>(_ content: Content) {
        level += 1
        defer { level -= 1 }
        guard level <= Self.levelsMax else { return }
        if let primitive = content as? any PrimitiveAxisContent { return primitive.put(&self) }
        add(content.body)
    }

    mutating func add(_ part: Part) { parts.append(part) }
}
