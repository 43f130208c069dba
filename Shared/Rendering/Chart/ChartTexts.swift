import STContracts

/// Creates the texts of marks, for the table of a chart and for screen readers.
struct ChartTexts {
    let chart: PageChart
    let x: ChartScale
    let y: ChartScale
    let isHorizontal: Bool
    let language: String

    func rows() -> [ChartRow] {
        let whole = chart.marks.reduce(0) { $0 + ($1.kind == .sector ? max(0, $1.angle ?? 0) : 0) }
        let isSeries = Set(chart.marks.compactMap(\.series)).count > 1
        return chart.marks.enumerated().map { index, mark in
            mark.kind == .sector
                ? sector(mark, index: index, whole: whole) : plotted(mark, index: index, isSeries: isSeries)
        }
    }

    private func sector(_ mark: PageMark, index: Int, whole: Double) -> ChartRow {
        let value = max(0, mark.angle ?? 0)
        let unit = chart.y?.unit ?? chart.x?.unit ?? .number
        let key = mark.series?.orNil ?? mark.note?.orNil ?? mark.x?.text?.orNil ?? "\(index + 1)"
        let part = PageNumbers(language: language).percent(whole > 0 ? value / whole : 0)
        let text = mark.value ?? ChartScale.number(value, unit: unit, language: language)
        return ChartRow(
            key: key,
            value: text,
            part: part,
            accessibilityText: mark.says?.orNil ?? "\(key): \(text), \(part)",
            number: value
        )
    }

    private func plotted(_ mark: PageMark, index: Int, isSeries: Bool) -> ChartRow {
        let (keyScale, valueScale) = isHorizontal ? (y, x) : (x, y)
        let (key, keyEnd) = isHorizontal ? (mark.y, mark.yEnd) : (mark.x, mark.xEnd)
        let (value, valueEnd) = isHorizontal ? (mark.x, mark.xEnd) : (mark.y, mark.yEnd)
        var name = key.map(keyScale.accessibilityText)
        if let keyEnd, let start = name { name = start + " – " + keyScale.accessibilityText(keyEnd) }
        let numbers = [value, valueEnd].compactMap { $0 }.map(valueScale.accessibilityText).joined(
            separator: " – "
        )
        let text = mark.value?.orNil ?? numbers
        let shown = name?.orNil ?? mark.series?.orNil ?? mark.note?.orNil ?? "\(index + 1)"
        let series = isSeries && name != nil ? mark.series : nil
        let heard = [shown, series, mark.group == shown || mark.group == series ? nil : mark.group]
        let subject = heard.compactMap { $0 }.joined(separator: ", ")
        let start = value?.number ?? 0
        return ChartRow(
            key: shown,
            series: series ?? mark.group,
            value: text,
            accessibilityText: mark.says?.orNil ?? (text.isEmpty ? subject : "\(subject): \(text)"),
            number: valueEnd?.number.map { $0 - start } ?? value?.number
        )
    }
}

/// The texts of a mark.
package struct ChartRow: Sendable, Equatable {
    package var key: String
    package var series: String?
    package var value: String
    /// The share of a sector in a pie.
    package var part: String?
    /// The text for screen readers.
    package var accessibilityText: String
    /// The value for comparisons, if it is a number.
    package var number: Double?
}
