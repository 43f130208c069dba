import Foundation
import STContracts
import SwiftUICore

/// A chart as it goes on the page.
@MainActor
struct ChartLowering {
    let marks: [MarkDraft]
    let settings: ChartSettings
    let page: PageWriter

    private var isRound: Bool { marks.contains { $0.kind == .sector } }
    private var isHorizontal: Bool { marks.contains(where: Stacking.isHorizontal) }
    private var hasStyles: Bool { marks.contains { $0.style != nil } }

    /// What the things are that the values belong to.
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
            x: try axis(settings.x, [\.x, \.xEnd], made, [\.x, \.xEnd]),
            y: try axis(settings.y, [\.y, \.yEnd], made, [\.y, \.yEnd]),
            // Without colours that stand for something there is nothing to explain.
            legend: settings.legend ?? (hasStyles ? nil : .hidden),
            control: control,
            valueName: valueName,
            keyName: keyName
        )
    }

    private func axis(
        _ settings: AxisSettings,
        _ values: [KeyPath<MarkDraft, PlotValue?>],
        _ made: [PageMark],
        _ shown: [KeyPath<PageMark, PageDatum?>]
    ) throws -> PageAxis? {
        guard !isRound else { return nil }
        return try AxisLowering(
            settings: settings,
            values: marks.flatMap { mark in values.compactMap { mark[keyPath: $0] } },
            shown: made.flatMap { mark in
                shown.compactMap { mark[keyPath: $0].flatMap(PlotDatum.init(page:)) }
            },
            page: page
        ).axis()
    }

    private var series: [PageSeries] {
        let styled = settings.styles.series(of: marks.compactMap { $0.style?.start })
        let known = Set(styled.map(\.name))
        // Lines that are told apart by name alone all look alike.
        var others: [PageSeries] = []
        for mark in marks where mark.style == nil {
            guard let name = mark.series?.start.name, !known.contains(name),
                !others.contains(where: { $0.name == name })
            else { continue }
            others.append(PageSeries(name: name, color: mark.paint?.color ?? ChartPalette.color(0)))
        }
        return styled + others
    }

    private func drawn(_ mark: MarkDraft, _ span: (from: Double, to: Double)?) -> PageMark {
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
            says: Self.says(mark)
        )
        if let span, Stacking.isHorizontal(mark) {
            page.x = PageDatum(number: span.from)
            page.xEnd = PageDatum(number: span.to)
        } else if let span {
            page.y = PageDatum(number: span.from)
            page.yEnd = PageDatum(number: span.to)
        }
        return page
    }

    private static let plain = PagePaint(kind: .color, color: ChartPalette.color(0))

    private static func says(_ mark: MarkDraft) -> String? {
        let parts = [mark.says, mark.saysValue].compactMap { $0 }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
