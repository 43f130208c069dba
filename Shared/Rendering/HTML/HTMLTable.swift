import STContracts

/// The values of a chart, to be read.
struct HTMLTable {
    let chart: PageChart
    let layout: ChartLayout

    func text(_ builder: HTMLBuilder) -> String {
        let words = builder.words
        let hasSeries = layout.rows.contains { $0.series != nil }
        let hasParts = layout.rows.contains { $0.part != nil }
        var titles = [cell("th", chart.keyName?.orNil ?? words.key, "scope=\"col\"")]
        if hasSeries { titles.append(cell("th", words.series, "scope=\"col\"")) }
        titles.append(cell("th", chart.valueName?.orNil ?? words.value, "scope=\"col\" class=\"q\""))
        if hasParts { titles.append(cell("th", words.part, "scope=\"col\" class=\"q\"")) }
        let rows = layout.rows.map { row in
            var cells = [cell("th", row.key, "scope=\"row\"")]
            if hasSeries { cells.append(cell("td", row.series ?? "", "")) }
            cells.append(cell("td", row.value, "class=\"q\""))
            if hasParts { cells.append(cell("td", row.part ?? "", "class=\"q\"")) }
            return "<tr>\(cells.joined())</tr>"
        }
        let summary = HTMLEscape.text(words.values)
        return "<details class=\"tb\"><summary>\(summary)</summary><div tabindex=\"0\" role=\"group\" "
            + "aria-label=\"\(HTMLEscape.text(chart.summary?.orNil ?? words.chart))\"><table><thead><tr>\(titles.joined())"
            + "</tr></thead><tbody>\(rows.joined())</tbody></table></div></details>"
    }

    private func cell(_ tag: String, _ text: String, _ attributes: String) -> String {
        "<\(tag)\(attributes.isEmpty ? "" : " " + attributes) dir=\"auto\">\(HTMLEscape.text(text))</\(tag)>"
    }
}
