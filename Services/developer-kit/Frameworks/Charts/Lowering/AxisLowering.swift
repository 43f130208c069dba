import Foundation
import STContracts
import SwiftUICore

/// Converts the settings and values of one axis to a `PageAxis`.
@MainActor
struct AxisLowering {
    let settings: AxisSettings
    let values: [PlotValue]
    /// The values that are drawn on the axis after stacking.
    let shown: [PlotDatum]
    let page: PageWriter

    func axis() throws -> PageAxis? {
        guard !values.isEmpty || settings.isHidden == true else { return nil }
        let first = values.first?.start
        var axis = PageAxis(
            isHidden: settings.isHidden == true ? true : nil,
            label: settings.label,
            unit: unit(of: first),
            from: settings.scale?.from,
            to: settings.scale?.to,
            step: values.lazy.compactMap { Self.step($0.unit) }.first,
            categories: settings.scale?.categories
        )
        guard let marks = settings.marks else { return axis }
        // An axis without marks is hidden.
        guard !marks.parts.isEmpty else {
            axis.isHidden = true
            return axis
        }
        var ticks: [PageTick] = []
        var isOwn = false
        for part in marks.parts {
            if case .calendar(let component, _, _) = part.values.kind, axis.step == nil {
                axis.step = Self.step(component)
            }
            let found = candidates(part)
            for (index, datum) in found.enumerated() {
                guard let make = part.tick else {
                    ticks.append(PageTick(at: datum.page, label: datum.name))
                    if case .all = part.values.kind { isOwn = true }
                    continue
                }
                let tick = make(AxisValue(datum, index: index, count: found.count))
                axis.unit = tick.unit?.page ?? axis.unit
                guard tick.isLabelled || tick.hasLine else { continue }
                // Ticks with custom labels, or without labels, replace the default ticks.
                let label = try label(tick, datum)
                if tick.view != nil || tick.format != nil || !tick.isLabelled { isOwn = true }
                if case .all = part.values.kind { isOwn = true }
                ticks.append(PageTick(at: datum.page, label: label))
            }
        }
        if isOwn { axis.ticks = ticks.isEmpty ? nil : Array(ticks.prefix(AxisTicks.most)) }
        if isOwn, ticks.isEmpty { axis.isHidden = true }
        return axis
    }

    private func label(_ tick: AxisTickDraft, _ datum: PlotDatum) throws -> String? {
        guard tick.isLabelled else { return nil }
        if let view = tick.view {
            return try page.collectOne { try page.lower(view) }?.words
        }
        return tick.format?(datum) ?? datum.name
    }

    private func unit(of first: PlotDatum?) -> PageUnit? {
        switch first {
        case .number: .number
        case .text: .category
        case .date: .date
        case nil: nil
        }
    }

    private static func step(_ unit: Calendar.Component?) -> PageDateStep? {
        switch unit {
        case .hour: .hour
        case .day, .weekday, .dayOfYear: .day
        case .weekOfYear, .weekOfMonth: .week
        case .month: .month
        default: nil
        }
    }

    // MARK: - Values

    private func candidates(_ part: AxisDraft.Part) -> [PlotDatum] {
        switch part.values.kind {
        case .all(let values): return Array(values.filter(\.isDrawable).prefix(AxisTicks.most))
        case .number(let step):
            return bounds.map { AxisTicks.numbers(from: $0.lowerBound, to: $0.upperBound, by: step) }?
                .map { .number($0) } ?? []
        case .calendar(let component, let count, let calendar):
            return span.map {
                AxisTicks.dates(from: $0.lowerBound, to: $0.upperBound, by: component, count, calendar)
            }?.map { .date($0) } ?? []
        case .automatic(let count):
            if let span {
                let (unit, step) = AxisTicks.calendarStep(
                    from: span.lowerBound,
                    to: span.upperBound,
                    about: count
                )
                return AxisTicks.dates(
                    from: span.lowerBound,
                    to: span.upperBound,
                    by: unit,
                    step,
                    page.environment.calendar
                ).map { .date($0) }
            }
            if let bounds {
                return AxisTicks.numbers(from: bounds.lowerBound, to: bounds.upperBound, about: count)
                    .map { .number($0) }
            }
            return texts
        }
    }

    private var bounds: ClosedRange<Double>? {
        let numbers = shown.compactMap(\.number)
        guard let least = numbers.min(), let most = numbers.max() else { return nil }
        let from = settings.scale?.from ?? min(0, least)
        return from...max(from, settings.scale?.to ?? most)
    }

    private var span: ClosedRange<Date>? {
        let dates = shown.compactMap(\.date)
        guard let first = dates.min(), let last = dates.max() else { return nil }
        return first...last
    }

    private var texts: [PlotDatum] {
        if let categories = settings.scale?.categories { return categories.map { .text($0) } }
        var seen = Set<PlotDatum>()
        return Array(shown.filter { $0.text != nil && seen.insert($0).inserted }.prefix(AxisTicks.most))
    }
}

/// The ticks of an axis with the app's own labels.
enum AxisTicks {
    static let most = 100
    private static let usual = 5

    /// Returns about `count` round numbers in a range.
    static func numbers(from: Double, to: Double, about count: Int?) -> [Double] {
        let count = min(max(count ?? usual, 1), most)
        guard from.isFinite, to.isFinite, to > from else { return from.isFinite ? [from] : [] }
        let rough = (to - from) / Double(count)
        guard rough.isFinite, rough > 0 else { return [from, to] }
        let power = pow(10, log10(rough).rounded(.down))
        guard power.isFinite, power > 0 else { return [from, to] }
        let step = ([1, 2, 5, 10].first { $0 * power >= rough * 0.999 } ?? 10) * power
        return numbers(from: (from / step).rounded(.up) * step, to: to, by: step)
    }

    static func numbers(from: Double, to: Double, by step: Double) -> [Double] {
        guard step > 0, step.isFinite, from.isFinite, to.isFinite else { return [] }
        let count = ((to - from) / step + 1e-9).rounded(.down)
        guard count >= 0 else { return [] }
        return (0...Int(min(count, Double(most - 1)))).map { from + Double($0) * step }
    }

    /// Returns the beginnings of hours, days and other calendar units.
    static func dates(
        from: Date,
        to: Date,
        by unit: Calendar.Component,
        _ count: Int,
        _ calendar: Calendar
    ) -> [Date] {
        guard var date = calendar.dateInterval(of: unit, for: from)?.start else { return [from] }
        var found: [Date] = []
        while date <= to, found.count < most {
            if date >= from { found.append(date) }
            guard let next = calendar.date(byAdding: unit, value: max(1, count), to: date), next > date else {
                break
            }
            date = next
        }
        return found
    }

    /// Returns the calendar unit and the number of units between ticks for about `count` dates.
    static func calendarStep(from: Date, to: Date, about count: Int?) -> (Calendar.Component, Int) {
        let seconds = to.timeIntervalSince(from) / Double(min(max(count ?? usual, 1), most))
        let steps: [(Calendar.Component, Int, Double)] = [
            (.hour, 1, 3_600), (.hour, 3, 10_800), (.hour, 6, 21_600), (.day, 1, 86_400), (.day, 2, 172_800),
            (.weekOfYear, 1, 604_800), (.month, 1, 2_678_400), (.month, 3, 8_035_200), (.year, 1, 31_622_400),
        ]
        let fitting = steps.first { $0.2 >= seconds * 0.999 } ?? steps[steps.count - 1]
        return (fitting.0, fitting.1)
    }
}

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
        // An axis needs a length greater than zero.
        guard let least = numbers.min(), let most = numbers.max(), least < most else { return }
        from = least
        to = most
    }
}

/// The parts of an axis, collected from its content.
@MainActor
struct AxisDraft {
    /// The maximum depth of nested content. It ends the recursion if content contains itself.
    private static let levelsMax = 50

    struct Part {
        var values: AxisMarkValues
        /// Makes the tick at a value. If it is `nil`, the tick has the value as its label and a line.
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

/// The line and label at one value of an axis, collected from its marks.
@MainActor
struct AxisTickDraft {
    /// The maximum depth of nested marks. It ends the recursion if a mark contains itself.
    private static let levelsMax = 50

    var isLabelled = false
    var hasLine = false
    /// A label that replaces the value.
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

/// The unit of an axis, derived from a format.
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
