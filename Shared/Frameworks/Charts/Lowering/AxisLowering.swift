import Foundation
import STContracts
import SwiftUICore

/// One side of a chart as it goes on the page.
@MainActor
struct AxisLowering {
    let settings: AxisSettings
    let values: [PlotValue]
    /// What stands on it once bars stand on each other.
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
        // An axis on which nothing stands cannot be seen.
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
                // Words that are the app's own, or none where others would have them.
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
