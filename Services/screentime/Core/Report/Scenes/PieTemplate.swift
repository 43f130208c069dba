import STContracts
import STPlatform

/// A ring of categories or apps, each with its time and its percentage.
enum PieTemplate {
    static func page(_ scene: ReportTemplate, _ input: ReportInput) -> Page {
        ReportFrame(template: scene, input: input).page { page in
            input.figure(&page)
            let slices = slices(input)
            page.chart(chart(slices, input), height: 260)
            // Only visual, because screen readers and terminals read the same facts from the chart.
            page.inside(PageNode(kind: .vertical, align: .leading, spacing: 8, isDecoration: true)) { list in
                for slice in slices { line(slice, of: input.totals.used, input: input, list: &list) }
            }
        }
    }

    private struct Slice {
        var name: String
        var used: Duration
        var color: PageColor
    }

    private static func slices(_ input: ReportInput) -> [Slice] {
        let parts = ReportParts.of(input.usage.segments, by: input.key).filter { $0.used > .zero }
        let restCount = input.usage.segments.reduce(0) { $0 + ($1.restCount ?? 0) }
        let (shown, rest) = input.leading(parts, input.key, of: input.totals.used, restCount: restCount)
        let colors = ReportColors.of(shown.map(\.id), input.key)
        var slices = zip(shown, input.labels(shown, input.key)).map { part, name in
            Slice(name: name, used: part.used, color: colors[part.id] ?? ReportColors.rest)
        }
        if let rest, rest.used > .zero {
            slices.append(
                Slice(name: input.strings.rest(rest.count), used: rest.used, color: ReportColors.rest)
            )
        }
        return slices
    }

    private static func chart(_ slices: [Slice], _ input: ReportInput) -> PageChart {
        let total = input.totals.used
        let marks = slices.map { slice in
            PageMark(
                kind: .sector,
                series: slice.name,
                angle: input.seconds(slice.used),
                inner: PageRadius(kind: .ratio, value: 0.6),
                inset: 1.5,
                corner: 3,
                says: "\(slice.name): \(input.dates.duration(slice.used)), \(percent(slice.used, total))"
            )
        }
        return PageChart(
            marks: marks,
            series: slices.map { PageSeries(name: $0.name, color: $0.color) },
            y: PageAxis(unit: .duration),
            legend: .hidden,
            summary: slices.first.map { first in
                let part = percent(first.used, total)
                return input.strings.say(
                    "report.is-the-largest-part",
                    "\(first.name, "name") has the largest share: \(part, "part")."
                )
            },
            valueName: input.strings.time,
            keyName: input.names.kind(input.key)
        )
    }

    private static func line(_ slice: Slice, of total: Duration, input: ReportInput, list: inout PageComposer)
    {
        list.horizontal(8) { row in
            let dot = PageShape(
                kind: .circle,
                fill: PagePaint(kind: .color, color: slice.color)
            )
            row.boxed(PageBox(frame: PageFrame(width: 12, height: 12))) {
                $0.add(PageNode(kind: .shape, shape: dot, isDecoration: true))
            }
            row.text(slice.name, size: 15)
            row.add(PageNode(kind: .spacer))
            row.text(input.dates.duration(slice.used), size: 15)
            row.boxed(PageBox(frame: PageFrame(width: 52, align: .trailing))) {
                $0.text(percent(slice.used, total), size: 15, color: ReportColors.secondary)
            }
        }
    }

    static func percent(_ part: Duration, _ whole: Duration) -> String {
        guard whole > .zero else { return "0%" }
        let percent = Double(part.ms) / Double(whole.ms) * 100
        return percent > 0 && percent < 1 ? "<1%" : "\(Int(percent.rounded()))%"
    }
}
