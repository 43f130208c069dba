import Foundation
import STContracts
import STRendering
import SwiftUICore

/// Converts a chart to a `PageChart`.
@MainActor
struct ChartLowering {
    /// The maximum number of series. More series cannot be distinguished and do not fit into a legend.
    private static let seriesMost = 200

    let marks: [MarkDraft]
    let settings: ChartSettings
    let page: PageWriter

    private var isRound: Bool { marks.contains { $0.kind == .sector } }
    private var isHorizontal: Bool { marks.contains(where: Stacking.isHorizontal) }
    private var hasStyles: Bool { marks.contains { $0.style != nil } }

    /// The label of the dimension by which the values are grouped.
    var keyName: String? {
        let first = marks.first { $0.kind != .rule } ?? marks.first
        let name = isRound ? first?.style?.label : isHorizontal ? first?.y?.label : first?.x?.label
        return name.map { $0.words(in: page.environment) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private var valueName: String? {
        let first = marks.first { $0.kind != .rule } ?? marks.first
        let name = isRound ? first?.angle?.label : isHorizontal ? first?.x?.label : first?.y?.label
        return name.map { $0.words(in: page.environment) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    func chart(control: Int?) throws -> PageChart {
        let spans = Stacking.stacked(marks)
        let made = zip(marks, spans).map { mark, span in drawn(mark, span) }
        return PageChart(
            marks: made,
            series: series,
            x: try axis(settings.x, sides: [\.x, \.xEnd], spans: spans, isX: true),
            y: try axis(settings.y, sides: [\.y, \.yEnd], spans: spans, isX: false),
            // A legend is needed only if colours have a meaning.
            legend: settings.legend ?? (hasStyles ? nil : .hidden),
            control: control,
            valueName: valueName,
            keyName: keyName
        )
    }

    private func axis(
        _ settings: AxisSettings,
        sides: [KeyPath<MarkDraft, PlotValue?>],
        spans: [StackedSpan?],
        isX: Bool
    ) throws -> PageAxis? {
        guard !isRound else { return nil }
        let values = marks.flatMap { mark in sides.compactMap { mark[keyPath: $0] } }
        let along = zip(marks, spans).compactMap { Stacking.isHorizontal($0) == isX ? $1 : nil }
        let ends = values.flatMap { [$0.start, $0.end].compactMap { $0 } }
        let isShare = along.contains { $0.form == .size }
        var axis = try AxisLowering(
            settings: settings,
            values: values,
            // Stacked bars reach farther than each single bar.
            shown: (isShare ? [] : ends) + along.flatMap { [.number($0.from), .number($0.to)] },
            page: page
        ).axis()
        if isShare, axis?.unit == .number { axis?.unit = .percent }
        return axis
    }

    private var series: [PageSeries] {
        let styled = settings.styles.series(of: marks.compactMap { $0.style?.start })
        let known = Set(styled.map(\.name))
        // Lines that differ only by name have the same colour.
        var others: [PageSeries] = []
        for mark in marks where mark.style == nil {
            guard let name = mark.series?.start.name, !known.contains(name),
                !others.contains(where: { $0.name == name })
            else { continue }
            others.append(PageSeries(name: name, color: mark.paint?.color ?? ChartPalette.accent))
        }
        return Array((styled + others).prefix(Self.seriesMost))
    }

    private func drawn(_ mark: MarkDraft, _ span: StackedSpan?) -> PageMark {
        var page = PageMark(
            kind: mark.kind,
            series: (mark.style ?? mark.series)?.start.name,
            x: mark.x?.start.page,
            xEnd: (mark.xEnd?.start ?? mark.x?.end)?.page,
            y: mark.y?.start.page,
            yEnd: (mark.yEnd?.start ?? mark.y?.end)?.page,
            angle: mark.kind == .sector ? mark.angle?.size : nil,
            inner: mark.inner?.page,
            outer: mark.outer?.page,
            inset: mark.inset.flatMap { $0.isFinite && $0 > 0 ? Double($0) : nil },
            width: mark.width?.page
                ?? mark.lineWidth.flatMap { PageRadius(kind: .fixed, value: Double($0)) },
            corner: mark.corner.flatMap { $0.isFinite && $0 > 0 ? Double($0) : nil },
            group: mark.position?.start.name,
            paint: mark.paint ?? (mark.style == nil ? Self.plain : nil),
            opacity: mark.opacity.flatMap { $0.isFinite ? min(max($0, 0), 1) : nil },
            note: mark.note,
            value: mark.saysValue,
            says: Self.says(mark)
        )
        guard let span, span.form != .asItIs else { return page }
        let isInterval = span.form == .interval
        let start = PageDatum(number: isInterval ? span.from : span.to - span.from)
        let end = isInterval ? PageDatum(number: span.to) : nil
        if Stacking.isHorizontal(mark) {
            (page.x, page.xEnd) = (start, end)
        } else {
            (page.y, page.yEnd) = (start, end)
        }
        return page
    }

    private static let plain = PagePaint(kind: .color, color: ChartPalette.accent)

    private static func says(_ mark: MarkDraft) -> String? {
        let parts = [mark.says, mark.saysValue].compactMap { $0 }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

/// The colours of series.
struct StyleScale {
    /// The values in the order of the legend. If it is empty, the legend has the order of the data.
    var domain: [PlotDatum] = []
    /// The colours of the domain, repeated if there are too few.
    var range: [PageColor] = []

    private func color(_ number: Int) -> PageColor {
        range.isEmpty ? ChartPalette.color(number) : range[number % range.count]
    }

    /// Returns the series of the marks: first those of the domain, then the others in the order of the data.
    func series(of found: [PlotDatum]) -> [PageSeries] {
        var names = Set<String>()
        let order = (domain.isEmpty ? [] : domain.filter(Set(found).contains)) + found
        return order.filter { names.insert($0.name).inserted }.enumerated().map { index, datum in
            let number = domain.firstIndex(of: datum) ?? index
            return PageSeries(name: datum.name, color: color(number))
        }
    }
}
