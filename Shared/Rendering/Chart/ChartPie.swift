import STContracts

/// The sectors of a pie, clockwise from the top.
struct ChartPie {
    let chart: PageChart
    let setting: ChartSetting
    let entries: ChartEntries

    func draw(in room: ChartRect, _ layout: inout ChartLayout) {
        let size = max(0, min(room.width, room.height))
        let center = room.middle
        layout.plot = ChartRect(x: center.x - size / 2, y: center.y - size / 2, width: size, height: size)
        let whole = chart.marks.reduce(0) { $0 + value(of: $1) }
        var angle = 0.0
        for (index, mark) in chart.marks.enumerated() where mark.kind == .sector {
            // If the total is 0, every sector is empty. Otherwise the last one ends at the start of the first.
            let turn = whole > 0 ? value(of: mark) / whole * 2 * .pi : 0
            let outer = radius(mark.outer, size / 2, automatic: size / 2)
            let inner = min(radius(mark.inner, size / 2, automatic: 0), outer)
            let sector = ChartSector(
                center: center,
                inner: inner,
                outer: outer,
                from: angle,
                to: angle + turn,
                inset: max(0, mark.inset ?? 0),
                corner: mark.corner ?? 0
            )
            angle += turn
            layout.shapes.append(
                ChartShape(
                    mark: index,
                    path: sector.path,
                    paint: entries.paint(of: mark),
                    opacity: mark.opacity ?? 1,
                    entry: entries.entry(of: mark),
                    sector: sector,
                    accessibilityText: layout.rows[index].accessibilityText
                )
            )
            note(mark, sector: sector, layout: &layout)
        }
    }

    private func value(of mark: PageMark) -> Double {
        guard mark.kind == .sector, let angle = mark.angle, angle.isFinite else { return 0 }
        return max(0, angle)
    }

    private func radius(_ radius: PageRadius?, _ whole: Double, automatic: Double) -> Double {
        guard let radius, let value = radius.value, value.isFinite else { return automatic }
        let length: Double
        switch radius.kind {
        case .ratio: length = whole * value
        case .inset: length = whole - value
        case .fixed: length = value
        case .automatic, .unknown: length = automatic
        }
        return min(max(length, 0), whole)
    }

    /// Places the note of a mark in its sector if it fits.
    private func note(_ mark: PageMark, sector: ChartSector, layout: inout ChartLayout) {
        guard let note = mark.note, !note.isEmpty else { return }
        let width = setting.measure(note, setting.fontSize)
        let height = setting.fontSize * 1.2
        let across = (sector.to - sector.from) * (sector.inner + sector.outer) / 2
        guard across > height, sector.outer - sector.inner > width || across > width else { return }
        let at = sector.middle
        let rect = ChartRect(x: at.x - width / 2, y: at.y - height / 2, width: width, height: height)
        guard !layout.labels.contains(where: { $0.rect.overlaps(rect) }) else { return }
        layout.labels.append(
            ChartLabel(text: note, rect: rect, size: setting.fontSize, role: .note, anchor: 0.5)
        )
    }
}
