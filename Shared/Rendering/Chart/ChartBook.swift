import STContracts

/// Which series has which colour.
struct ChartBook {
    private(set) var entries: [ChartEntry] = []
    private var places: [String: Int] = [:]

    init(_ chart: PageChart) {
        for series in chart.series where places[series.name] == nil { add(series.name, series.color) }
        for mark in chart.marks {
            if let name = mark.series, places[name] == nil {
                var color: PageColor?
                if let paint = mark.paint { color = paint.color ?? paint.stops?.first?.color }
                add(name, color ?? ChartPalette.color(entries.count))
            }
        }
    }

    func entry(of mark: PageMark) -> Int? { mark.series.flatMap { places[$0] } }

    func paint(of mark: PageMark) -> PagePaint {
        if let paint = mark.paint, paint.color != nil || paint.stops?.isEmpty == false { return paint }
        let color = entry(of: mark).map { entries[$0].color } ?? ChartPalette.accent
        return PagePaint(kind: .color, color: color)
    }

    mutating func set(part: String, value: String, of entry: Int) {
        entries[entry].part = part
        entries[entry].value = value
    }

    private mutating func add(_ name: String, _ color: PageColor) {
        places[name] = entries.count
        entries.append(ChartEntry(name: name, color: color))
    }
}
