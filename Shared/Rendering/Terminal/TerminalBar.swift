/// Bars of blocks, in eighths of a column.
enum TerminalBar {
    private static let across = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    private static let up = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// Never quite empty for a value that is not nothing.
    static func text(_ value: Double, of top: Double, columns: Int) -> String {
        guard value > 0, top > 0, columns > 0 else { return "" }
        let units = max(1, Int((min(value / top, 1) * Double(columns * 8)).rounded()))
        return String(repeating: "█", count: units / 8) + across[units % 8]
    }

    /// One column of a chart of so many rows, from its top row down.
    static func column(_ value: Double, of top: Double, rows: Int) -> [String] {
        guard top > 0 else { return [String](repeating: " ", count: rows) }
        let units = value > 0 ? max(1, Int((min(value / top, 1) * Double(rows * 8)).rounded())) : 0
        return (0..<rows).reversed().map { row in up[min(max(units - row * 8, 0), 8)] }
    }
}
