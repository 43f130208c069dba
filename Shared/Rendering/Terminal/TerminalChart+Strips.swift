import STContracts
import STPlatform

extension TerminalChart {
    /// A strip of time for each name: what was going on when.
    func strips(_ sides: ChartSides) -> [TerminalLine] {
        var scale = sides.values
        scale.settle(labels: 4)
        let book = ChartBook(chart)
        var order: [String] = []
        var spans: [String: [(from: Double, to: Double, color: PageColor?)]] = [:]
        for (index, mark) in chart.marks.enumerated() {
            guard let interval = sides.intervals[index] else { continue }
            let name = sides.key(of: mark).map(sides.keys.says) ?? ""
            if spans[name] == nil { order.append(name) }
            spans[name, default: []].append(
                (interval.from, interval.to, HTMLPaint.flat(book.paint(of: mark)))
            )
        }
        let names = order.map { DisplayWidth.harmless(String($0.prefix(200))) }
        let nameWidth = min(names.map(DisplayWidth.columns).max() ?? 0, columns / 3)
        let width = max(8, min(columns - nameWidth - 2, 120))
        var lines = zip(order, names).map { key, name in
            var line = TerminalLine(DisplayWidth.fitted(name, nameWidth) + (nameWidth > 0 ? "  " : ""))
            var cells = [PageColor??](repeating: nil, count: width)
            for span in spans[key] ?? [] where span.to > span.from {
                let from = min(Int(scale.part(span.from) * Double(width)), width - 1)
                let end = max(from + 1, Int((scale.part(span.to) * Double(width)).rounded()))
                for cell in from..<min(end, width) { cells[cell] = .some(span.color) }
            }
            for cell in cells {
                if let color = cell {
                    line.add("█", TerminalStyle.color(color))
                } else {
                    line.add("·", TerminalStyle.dim)
                }
            }
            return line
        }
        var foot = TerminalLine(String(repeating: " ", count: nameWidth > 0 ? nameWidth + 2 : 0))
        foot.add(axis(scale, width))
        lines.append(foot)
        return lines
    }
}
