import Foundation
import STContracts
import SwiftUICore

/// The settings of one axis.
struct AxisSettings {
    var isHidden: Bool?
    var label: String?
    var scale: AxisScale?
    var marks: AxisDraft?
}

/// The range of an axis.
struct AxisScale {
    var from: Double?
    var to: Double?
    var categories: [String]?

    init(_ values: [PlotDatum]) {
        let texts = values.compactMap(\.text)
        if texts.count == values.count, !texts.isEmpty {
            categories = texts
            return
        }
        let numbers = values.compactMap { $0.number ?? $0.date.map { Double(Int64(clamping: $0)) } }
            .filter(\.isFinite)
        // An axis without length cannot be drawn.
        guard let least = numbers.min(), let most = numbers.max(), least < most else { return }
        from = least
        to = most
    }
}

/// What the content of an axis asks for.
@MainActor
struct AxisDraft {
    /// Content that contains itself would never end.
    private static let levelsMax = 50

    struct Part {
        var values: AxisMarkValues
        /// Makes what stands at a value; nil is its label and a line.
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

/// What the marks at one value of an axis ask for.
@MainActor
struct AxisTickDraft {
    /// A mark that contains itself would never end.
    private static let levelsMax = 50

    /// Whether the value has a label.
    var isLabelled = false
    var hasLine = false
    /// A label other than the value.
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

/// The unit of an axis that a format implies.
struct AxisUnit {
    let page: PageUnit

    init?<F: FormatStyle>(_ format: F) {
        switch format {
        case is FloatingPointFormatStyle<Double>.Percent, is FloatingPointFormatStyle<Float>.Percent,
            is IntegerFormatStyle<Int>.Percent, is Decimal.FormatStyle.Percent:
            page = .percent
        case is Date.FormatStyle, is Date.ISO8601FormatStyle, is Date.VerbatimFormatStyle: page = .date
        default: return nil
        }
    }
}
