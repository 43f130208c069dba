import STContracts

/// Creates the shapes of the marks of a chart with axes.
struct ChartMarks {
    /// The maximum width of a bar.
    private static let barMax = 56.0
    /// The number of points above which a line has no visible dots.
    private static let dotsMax = 60
    private static let lineWidth = 2.0

    let plot: ChartPlot

    private var chart: PageChart { plot.chart }
    private var sides: ChartSides { plot.sides }
    private var area: ChartRect { plot.plot }

    func bars(_ layout: inout ChartLayout) {
        for (index, mark) in chart.marks.enumerated() where mark.kind == .bar {
            guard let interval = sides.intervals[index] else { continue }
            let rect = rect(of: mark, interval, isStacked: sides.stacked.contains(index))
            let thickness = sides.isHorizontal ? rect.height : rect.width
            let corner = mark.corner ?? (sides.stacked.contains(index) ? 0 : min(4, thickness / 4))
            layout.shapes.append(
                ChartShape(
                    mark: index,
                    path: ChartPen().rect(rect, corner: corner),
                    paint: plot.entries.paint(of: mark),
                    opacity: mark.opacity ?? 1,
                    entry: plot.entries.entry(of: mark),
                    rect: rect,
                    accessibilityText: layout.rows[index].accessibilityText
                )
            )
        }
    }

    private func rect(
        of mark: PageMark,
        _ interval: (from: Double, to: Double),
        isStacked: Bool
    ) -> ChartRect {
        let (across, thickness) = bandRange(of: mark)
        let low = plot.place(sides.values, interval.from, isY: !sides.isHorizontal)
        let high = plot.place(sides.values, interval.to, isY: !sides.isHorizontal)
        let from = min(low, high)
        var length = abs(high - low)
        // A thin gap separates stacked bars.
        let hair = isStacked && length > 3 ? 1.0 : 0
        length -= hair
        if sides.isHorizontal {
            return ChartRect(x: from, y: across, width: length, height: thickness)
        }
        return ChartRect(x: across, y: from + hair, width: thickness, height: length)
    }

    /// Returns the position of a bar across its direction of growth, and its thickness.
    private func bandRange(of mark: PageMark) -> (from: Double, thickness: Double) {
        let keys = sides.keys
        let key = keys.span(sides.key(of: mark))
        var (from, to) = key
        let isInterval = sides.keyEnd(of: mark) != nil && keys.kind != .category
        if isInterval {
            to = keys.span(sides.keyEnd(of: mark)).from
        } else if keys.kind == .number || (keys.kind == .moment && keys.step == nil) {
            from -= sides.keyGap / 2
            to = key.from + sides.keyGap / 2
        }
        let one = plot.place(keys, from, isY: sides.isHorizontal)
        let other = plot.place(keys, to, isY: sides.isHorizontal)
        var start = min(one, other)
        var band = abs(other - one)
        if !sides.groups.isEmpty, mark.group != nil, let place = sides.groups.firstIndex(of: mark.group ?? "")
        {
            let inner = band * 0.84
            let lane = min(inner / Double(sides.groups.count), Self.barMax)
            start += (band - lane * Double(sides.groups.count)) / 2 + lane * Double(place)
            band = lane
        }
        let thickness = thickness(of: mark, band, isInterval: isInterval)
        return (start + (band - thickness) / 2, thickness)
    }

    private func thickness(of mark: PageMark, _ band: Double, isInterval: Bool) -> Double {
        let value = mark.width?.value ?? 0
        let wanted: Double
        switch mark.width?.kind {
        case .ratio: wanted = band * value
        case .inset: wanted = band - 2 * value
        case .fixed: wanted = value
        case .automatic, .unknown, nil:
            let part = isInterval ? 1 : mark.group != nil ? 0.92 : 0.7
            wanted = isInterval ? band : min(Self.barMax, max(band * part, min(band, 1)))
        }
        return min(max(wanted, 0), band)
    }

    func areas(_ layout: inout ChartLayout) {
        for (entry, members) in runs(of: .area) {
            guard let first = members.first else { continue }
            var upper: [ChartPoint] = []
            var lower: [ChartPoint] = []
            for index in members {
                guard let interval = sides.intervals[index] else { continue }
                upper.append(point(chart.marks[index], value: interval.to))
                lower.append(point(chart.marks[index], value: interval.from))
            }
            let mark = chart.marks[first]
            layout.shapes.append(
                ChartShape(
                    mark: nil,
                    path: ChartPen().line(upper, back: lower),
                    paint: plot.entries.paint(of: mark),
                    opacity: mark.opacity ?? 0.7,
                    entry: entry,
                    accessibilityText: ""
                )
            )
            dots(members, points: upper, isShown: false, layout: &layout)
        }
    }

    func lines(_ layout: inout ChartLayout) {
        for (entry, members) in runs(of: .line) {
            guard let first = members.first else { continue }
            let mark = chart.marks[first]
            let points = members.map { point(chart.marks[$0]) }
            layout.shapes.append(
                ChartShape(
                    mark: nil,
                    path: ChartPen().line(points),
                    lineWidth: Self.lineWidth,
                    paint: plot.entries.paint(of: mark),
                    opacity: mark.opacity ?? 1,
                    entry: entry,
                    accessibilityText: ""
                )
            )
            dots(members, points: points, isShown: members.count <= Self.dotsMax, layout: &layout)
        }
    }

    func points(_ layout: inout ChartLayout) {
        for (index, mark) in chart.marks.enumerated() where mark.kind == .point {
            dots([index], points: [point(mark)], isShown: true, radius: 4, layout: &layout)
        }
    }

    /// Adds dots, visible or invisible, as targets of the pointer and of screen readers.
    private func dots(
        _ members: [Int],
        points: [ChartPoint],
        isShown: Bool,
        radius: Double = 3,
        layout: inout ChartLayout
    ) {
        for (index, point) in zip(members, points) {
            let mark = chart.marks[index]
            let rect = ChartRect(
                x: point.x - radius,
                y: point.y - radius,
                width: 2 * radius,
                height: 2 * radius
            )
            layout.shapes.append(
                ChartShape(
                    mark: index,
                    path: ChartPen().circle(point, radius),
                    paint: plot.entries.paint(of: mark),
                    opacity: isShown ? mark.opacity ?? 1 : 0,
                    entry: plot.entries.entry(of: mark),
                    rect: rect,
                    accessibilityText: layout.rows[index].accessibilityText
                )
            )
        }
    }

    /// Returns the marks of a kind, grouped by series, in the order of the first mark of each series.
    private func runs(of kind: PageMarkKind) -> [(entry: Int?, members: [Int])] {
        var places: [Int: Int] = [:]
        var runs: [(entry: Int?, members: [Int])] = []
        for (index, mark) in chart.marks.enumerated() where mark.kind == kind {
            let entry = plot.entries.entry(of: mark)
            if let place = places[entry ?? -1] {
                runs[place].members.append(index)
            } else {
                places[entry ?? -1] = runs.count
                runs.append((entry, [index]))
            }
        }
        return runs
    }

    private func point(_ mark: PageMark, value: Double? = nil) -> ChartPoint {
        let key = sides.keys.span(sides.key(of: mark))
        let span = sides.values.span(sides.value(of: mark))
        let along = plot.place(sides.keys, (key.from + key.to) / 2, isY: sides.isHorizontal)
        let up = plot.place(sides.values, value ?? (span.from + span.to) / 2, isY: !sides.isHorizontal)
        return sides.isHorizontal ? ChartPoint(up, along) : ChartPoint(along, up)
    }

    func rules(_ layout: inout ChartLayout) {
        for (index, mark) in chart.marks.enumerated() where mark.kind == .rule {
            let isLevel = mark.x == nil || (mark.y != nil && mark.xEnd != nil)
            func coordinate(of datum: PageDatum?, scale: ChartScale, isY: Bool, other: Double) -> Double {
                guard let datum else { return other }
                let span = scale.span(datum)
                return plot.place(scale, (span.from + span.to) / 2, isY: isY)
            }
            let from: ChartPoint
            let to: ChartPoint
            if isLevel {
                let y = coordinate(of: mark.y, scale: sides.y, isY: true, other: area.bottom)
                from = ChartPoint(coordinate(of: mark.x, scale: sides.x, isY: false, other: area.x), y)
                to = ChartPoint(coordinate(of: mark.xEnd, scale: sides.x, isY: false, other: area.right), y)
            } else {
                let x = coordinate(of: mark.x, scale: sides.x, isY: false, other: area.x)
                let start = mark.yEnd == nil ? nil : mark.y
                from = ChartPoint(x, coordinate(of: start, scale: sides.y, isY: true, other: area.bottom))
                to = ChartPoint(x, coordinate(of: mark.yEnd, scale: sides.y, isY: true, other: area.y))
            }
            let rect = ChartRect(
                x: min(from.x, to.x),
                y: min(from.y, to.y),
                width: abs(to.x - from.x),
                height: abs(to.y - from.y)
            )
            layout.shapes.append(
                ChartShape(
                    mark: index,
                    path: ChartPen().line([from, to]),
                    lineWidth: 1.5,
                    paint: plot.entries.paint(of: mark),
                    opacity: mark.opacity ?? 1,
                    entry: plot.entries.entry(of: mark),
                    rect: rect,
                    accessibilityText: layout.rows[index].accessibilityText
                )
            )
        }
    }

    /// Adds the notes of marks that do not overlap another text.
    func notes(_ layout: inout ChartLayout) {
        let size = plot.setting.fontSize
        let fit = ChartFit(setting: plot.setting)
        let room = ChartRect(x: 0, y: 0, width: layout.width, height: layout.height)
        for shape in layout.shapes {
            guard let index = shape.mark, let rect = shape.rect, let note = chart.marks[index].note,
                !note.isEmpty
            else { continue }
            let text = fit.truncated(note, layout.width * 0.4)
            let width = plot.setting.measure(text, size)
            let height = size * 1.2
            var place = ChartRect(
                x: rect.middle.x - width / 2,
                y: rect.y - height - 2,
                width: width,
                height: height
            )
            if chart.marks[index].kind == .rule { place.x = rect.right - width }
            if sides.isHorizontal, chart.marks[index].kind != .rule {
                place.x = rect.right + 4
                place.y = rect.middle.y - height / 2
            }
            place.x = max(0, min(place.x, layout.width - width))
            guard room.contains(place), !layout.labels.contains(where: { $0.rect.overlaps(place) }) else {
                continue
            }
            let anchor = sides.isHorizontal ? 0 : 0.5
            layout.labels.append(
                ChartLabel(text: text, rect: place, size: size, role: .note, anchor: anchor)
            )
        }
    }
}
