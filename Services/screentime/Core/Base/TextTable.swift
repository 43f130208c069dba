import STPlatform

/// A table with aligned columns, each as wide as its longest cell. The last column is cut to the remaining width.
package struct TextTable: Sendable {
    package enum Alignment: Sendable {
        case left, right
    }

    package struct Cell: Sendable {
        package var text: String
        package var style: Terminal.Style?

        package init(_ text: String, _ style: Terminal.Style? = nil) {
            self.text = text
            self.style = style
        }
    }

    private var titles: [String]
    private var alignments: [Alignment]
    private var rows: [[Cell]] = []

    package init(_ columns: [(title: String, alignment: Alignment)]) {
        titles = columns.map(\.title)
        alignments = columns.map(\.alignment)
    }

    package mutating func add(_ cells: [Cell]) {
        rows.append(cells.map { Cell(DisplayWidth.sanitized($0.text), $0.style) })
    }

    /// Returns the lines. `expendable` names the columns to drop if the terminal is too narrow, first to last.
    package func lines(
        columns: Int,
        expendable: [String] = [],
        _ terminal: Terminal
    ) -> [String] {
        let widths = titles.indices.map { column in
            ([titles[column]] + rows.map { $0[column].text }).map(DisplayWidth.columns).max() ?? 0
        }
        // A pipe has no width, and a program that reads it needs every column.
        let columns = terminal.isTerminal ? columns : .max
        if let title = expendable.first, widths.reduce(-2, { $0 + $1 + 2 }) > columns {
            return without(title).lines(columns: columns, expendable: Array(expendable.dropFirst()), terminal)
        }
        let header = line(titles.map { Cell($0, .dim) }, widths: widths, columns: columns, terminal: terminal)
        return [header] + rows.map { line($0, widths: widths, columns: columns, terminal: terminal) }
    }

    private func without(_ title: String) -> TextTable {
        guard let column = titles.firstIndex(of: title) else { return self }
        var table = self
        table.titles.remove(at: column)
        table.alignments.remove(at: column)
        table.rows = rows.map { row in
            var row = row
            row.remove(at: column)
            return row
        }
        return table
    }

    private func line(_ cells: [Cell], widths: [Int], columns: Int, terminal: Terminal) -> String {
        var left = columns
        var parts: [String] = []
        for (index, cell) in cells.enumerated() {
            let isLast = index == cells.count - 1
            let width = isLast ? min(widths[index], max(4, left)) : widths[index]
            let cut = DisplayWidth.truncated(cell.text, width)
            let text =
                alignments[index] == .right
                ? DisplayWidth.paddedLeft(cut, width) : isLast ? cut : DisplayWidth.padded(cut, width)
            parts.append(cell.style.map { terminal.styled(text, $0) } ?? text)
            left -= width + 2
        }
        var text = parts.joined(separator: "  ")
        while text.last == " " { text.removeLast() }
        return text
    }
}

/// A chart of rows with a name, a bar and a duration, for terminals of any width.
package struct BarChart: Sendable {
    package struct Row: Sendable {
        package var name: String
        package var value: Duration

        package init(name: String, value: Duration) {
            self.name = name
            self.value = value
        }
    }

    private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    /// Upper bound on the width of a bar. A longer bar shows no more detail.
    private static let barColumnsMax = 60

    package var rows: [Row]

    package init(rows: [Row]) { self.rows = rows }

    package func lines(columns: Int, _ terminal: Terminal) -> [String] {
        let values = rows.map { Speech.duration($0.value) }
        let valueWidth = values.map(DisplayWidth.columns).max() ?? 0
        let longest = rows.map { DisplayWidth.columns(DisplayWidth.sanitized($0.name)) }.max() ?? 0
        let nameWidth = min(longest, max(8, columns * 2 / 5))
        let barWidth = max(4, min(Self.barColumnsMax, columns - nameWidth - valueWidth - 6))
        let top = rows.map(\.value).max() ?? .zero
        return zip(rows, values).map { row, value in
            let name = DisplayWidth.fitted(DisplayWidth.sanitized(row.name), nameWidth)
            let bar = DisplayWidth.padded(Self.bar(row.value.ms, of: top.ms, width: barWidth), barWidth)
            return "  " + name + "  " + terminal.styled(bar, .cyan) + "  "
                + DisplayWidth.paddedLeft(value, valueWidth)
        }
    }

    /// Returns a bar with a resolution of an eighth of a column. The bar of a non-zero value is never empty.
    package static func bar(_ value: Int64, of top: Int64, width: Int) -> String {
        guard value > 0, top > 0 else { return "" }
        let units = max(1, Int((Double(value) / Double(top) * Double(width * 8)).rounded()))
        return String(repeating: "█", count: units / 8) + eighths[units % 8]
    }
}

extension StringProtocol {
    /// The text without leading and trailing white space.
    package var trimmed: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
