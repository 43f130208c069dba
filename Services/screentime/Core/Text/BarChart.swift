import STPlatform

/// Rows of a name, a bar and a duration that fit a terminal of any width.
package struct BarChart: Sendable {
    package struct Row: Sendable {
        package var name: String
        package var valueMs: Int64

        package init(name: String, valueMs: Int64) {
            self.name = name
            self.valueMs = valueMs
        }
    }

    private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    /// A longer bar says nothing more.
    private static let barColumnsMax = 60

    package var rows: [Row]

    package init(rows: [Row]) { self.rows = rows }

    package func lines(columns: Int, _ terminal: Terminal) -> [String] {
        let values = rows.map { TextFormat.duration(ms: $0.valueMs) }
        let valueWidth = values.map(DisplayWidth.columns).max() ?? 0
        let longest = rows.map { DisplayWidth.columns(DisplayWidth.harmless($0.name)) }.max() ?? 0
        let nameWidth = min(longest, max(8, columns * 2 / 5))
        let barWidth = max(4, min(Self.barColumnsMax, columns - nameWidth - valueWidth - 6))
        let top = rows.map(\.valueMs).max() ?? 0
        return zip(rows, values).map { row, value in
            let name = DisplayWidth.fitted(DisplayWidth.harmless(row.name), nameWidth)
            let bar = DisplayWidth.padded(Self.bar(row.valueMs, of: top, width: barWidth), barWidth)
            return "  " + name + "  " + terminal.styled(bar, .cyan) + "  "
                + DisplayWidth.paddedLeft(value, valueWidth)
        }
    }

    /// In eighths of a column, and never quite empty for a value that is not zero.
    static func bar(_ value: Int64, of top: Int64, width: Int) -> String {
        guard value > 0, top > 0 else { return "" }
        let units = max(1, Int((Double(value) / Double(top) * Double(width * 8)).rounded()))
        return String(repeating: "█", count: units / 8) + eighths[units % 8]
    }
}
