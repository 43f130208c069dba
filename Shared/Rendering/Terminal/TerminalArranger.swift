import STContracts
import STPlatform

/// Arranges the nodes of a page in columns of a terminal.
///
/// Three loops go over the nodes. The first computes the preferred widths from the inside out. The second computes the available
/// widths from the outside in. The third creates the lines, from the inside out again.
struct TerminalArranger {
    private static let gap = 2
    /// The minimum width of nodes beside each other.
    private static let cellMin = 10
    private static let chartMin = 36

    private let page: Page
    private let variant: PageVariant
    private let tree: PageTree
    private let flex: PageFlexibility
    private let columns: Int
    private let language: String
    private var desiredWidths: [Int]
    private var widths: [Int]
    /// True for each row or grid that is too narrow, so that its children are below each other.
    private var isBroken: [Bool]
    private var blocks: [[TerminalLine]]

    init(page: Page, variant: PageVariant, tree: PageTree, columns: Int, language: String) {
        self.page = page
        self.variant = variant
        self.tree = tree
        self.columns = columns
        self.language = language
        flex = PageFlexibility(tree)
        desiredWidths = [Int](repeating: 0, count: tree.nodes.count)
        widths = desiredWidths
        isBroken = [Bool](repeating: false, count: tree.nodes.count)
        blocks = [[TerminalLine]](repeating: [], count: tree.nodes.count)
    }

    mutating func lines() -> [TerminalLine] {
        for index in tree.nodes.indices.reversed() { desiredWidths[index] = desiredWidth(index) }
        for root in tree.roots { widths[root] = columns }
        for index in tree.nodes.indices { distribute(index) }
        for index in tree.nodes.indices.reversed() { blocks[index] = block(index) }
        return below(tree.roots, spacing: 16)
    }

    private func isHidden(_ node: PageNode) -> Bool { node.box?.opacity == 0 }

    private func desiredWidth(_ index: Int) -> Int {
        let node = tree.nodes[index]
        let children = tree.children(of: index)
        let widths = children.map { desiredWidths[$0] }
        guard !isHidden(node), node.isDecoration != true else { return 0 }
        switch node.kind {
        case .text: return Self.plain(node).map(DisplayWidth.columns).max() ?? 0
        case .horizontal:
            let shown = widths.filter { $0 > 0 }
            return shown.reduce(0, +) + Self.gap * max(0, shown.count - 1)
        case .grid:
            return ((widths.max() ?? 0) + Self.gap) * max(1, node.columns ?? 2)
        case .chart: return Self.chartMin
        case .control: return 20
        case .progress: return 12
        case .report: return 30
        case .image: return node.label.map(DisplayWidth.columns) ?? 0
        case .list: return (widths.max() ?? 0) + 2
        case .spacer, .divider, .shape: return 0
        case .vertical, .layered, .over, .behind, .box, .section, .scroll, .unknown:
            return widths.max() ?? 0
        }
    }

    private mutating func distribute(_ index: Int) {
        let node = tree.nodes[index]
        let children = tree.children(of: index)
        let whole = widths[index]
        switch node.kind {
        case .horizontal: shareRow(index, children: children, whole: whole)
        case .grid:
            let count = max(1, node.columns ?? max(1, whole / 30))
            let cell = (whole - Self.gap * (count - 1)) / count
            isBroken[index] = cell < Self.cellMin
            for child in children { widths[child] = isBroken[index] ? whole : cell }
        case .list:
            for child in children { widths[child] = max(1, whole - 2) }
        default:
            for child in children { widths[child] = whole }
        }
    }

    /// Distributes the width of a row. Each node gets its preferred width, the narrowest first. Nodes that fill the width
    /// share the rest.
    private mutating func shareRow(_ index: Int, children: [Int], whole: Int) {
        let shown = children.filter { desiredWidths[$0] > 0 }
        var left = whole - Self.gap * max(0, shown.count - 1)
        let charts = shown.filter { flex.hasChart[$0] }
        isBroken[index] =
            left < shown.count || (charts.count > 0 && left / max(1, shown.count) < Self.chartMin)
        guard !isBroken[index] else {
            for child in children { widths[child] = whole }
            return
        }
        var waiting = shown.count
        for child in shown.sorted(by: { desiredWidths[$0] < desiredWidths[$1] }) {
            widths[child] = min(desiredWidths[child], max(1, left / max(1, waiting)))
            left -= widths[child]
            waiting -= 1
        }
        isBroken[index] = shown.contains { widths[$0] < min(desiredWidths[$0], Self.cellMin) }
        if isBroken[index] {
            for child in children { widths[child] = whole }
            return
        }
        let greedy = children.filter { flex.fillsWidth[$0] }
        for (place, child) in greedy.enumerated() where left > 0 {
            let more = left / (greedy.count - place)
            widths[child] += more
            left -= more
        }
    }

    private func block(_ index: Int) -> [TerminalLine] {
        let node = tree.nodes[index]
        guard !isHidden(node), node.isDecoration != true else { return [] }
        let children = tree.children(of: index)
        switch node.kind {
        case .text: return text(node, widths[index])
        case .horizontal where !isBroken[index]: return beside(children)
        case .grid where !isBroken[index]: return grid(node, children: children, whole: widths[index])
        case .list: return list(children)
        case .section: return section(node, children: children, whole: widths[index])
        case .divider:
            return [TerminalLine(String(repeating: "─", count: max(1, widths[index])), TerminalStyle.dim)]
        case .progress: return [progress(node, widths[index])]
        case .chart:
            guard let chart = node.chart else { return [] }
            return TerminalChart(
                chart: chart,
                columns: max(16, widths[index]),
                language: language,
                zone: page.zone,
                chosen: chart.control.map { variant.chosen[$0] } ?? 0
            ).lines()
        case .control: return control(node)
        case .report:
            return wrapped(
                PageStrings(language: language).missing(report: node.report?.context ?? ""),
                style: nil,
                width: widths[index]
            )
        case .image: return node.label.map { wrapped($0, style: nil, width: widths[index]) } ?? []
        case .spacer, .shape: return []
        case .vertical, .layered, .over, .behind, .box, .scroll, .unknown, .horizontal, .grid:
            if let label = node.label?.orNil, !flex.containsText[index], !flex.hasChart[index] {
                return wrapped(label, style: nil, width: widths[index])
            }
            return below(children, spacing: node.kind == .vertical ? node.spacing ?? 8 : 0)
        }
    }

    private static let newlines: Set<Character> = ["\n", "\r\n", "\r", "\u{2028}", "\u{2029}"]

    private static func plain(_ node: PageNode) -> [String] {
        let whole = (node.runs ?? []).map(\.text).joined()
        let lines = whole.split(omittingEmptySubsequences: false) { newlines.contains($0) }
        return lines.map { DisplayWidth.sanitized(String($0)) }
    }

    private func text(_ node: PageNode, _ width: Int) -> [TerminalLine] {
        let first = node.runs?.first
        var style: String?
        if node.heading != nil || (first?.font?.weight ?? 400) >= 600 {
            style = TerminalStyle.bold
        } else if let size = first?.font?.size, size < 15 {
            style = TerminalStyle.dim
        }
        var lines: [TerminalLine] = []
        for line in Self.plain(node) {
            let parts = line.isEmpty ? [""] : TextWrap.lines(line, columns: max(1, width))
            lines += parts.map { TerminalLine($0, style) }
        }
        if let limit = node.lines, limit > 0, lines.count > limit { lines = Array(lines.prefix(limit)) }
        return lines
    }

    private func wrapped(_ text: String, style: String?, width: Int) -> [TerminalLine] {
        TextWrap.lines(DisplayWidth.sanitized(text), columns: max(1, width)).map { TerminalLine($0, style) }
    }

    private func beside(_ children: [Int]) -> [TerminalLine] {
        let height = children.map { blocks[$0].count }.max() ?? 0
        var lines = [TerminalLine](repeating: TerminalLine(), count: height)
        var edge = 0
        for child in children {
            let isSpace = tree.nodes[child].kind == .spacer
            guard isSpace || !blocks[child].isEmpty else { continue }
            if edge > 0, !isSpace { edge += Self.gap }
            for (row, line) in blocks[child].enumerated() {
                lines[row].pad(to: edge)
                lines[row].add(line)
            }
            edge += widths[child]
        }
        return lines
    }

    private func grid(_ node: PageNode, children: [Int], whole: Int) -> [TerminalLine] {
        let count = max(1, node.columns ?? max(1, whole / 30))
        var lines: [TerminalLine] = []
        for start in stride(from: 0, to: children.count, by: count) {
            lines += beside(Array(children[start..<min(start + count, children.count)]))
        }
        return lines
    }

    private func list(_ children: [Int]) -> [TerminalLine] {
        children.flatMap { child in
            blocks[child].map { line in
                var shifted = TerminalLine("  ")
                shifted.add(line)
                return shifted
            }
        }
    }

    private func section(_ node: PageNode, children: [Int], whole: Int) -> [TerminalLine] {
        let title = Self.plain(node).joined(separator: " ")
        let head = title.isEmpty ? [] : wrapped(title, style: TerminalStyle.bold, width: whole)
        return head + below(children, spacing: 0)
    }

    private func progress(_ node: PageNode, _ whole: Int) -> TerminalLine {
        let part = min(max(node.value ?? 0, 0), 1)
        let length = max(4, min(40, whole - 6))
        let full = TerminalBar.text(part, of: 1, columns: length)
        var line = TerminalLine(full, TerminalStyle.color(node.color ?? ChartPalette.accent))
        line.add(
            String(repeating: "░", count: max(0, length - DisplayWidth.columns(full))),
            TerminalStyle.dim
        )
        line.add(" " + PageNumbers(language: language).percent(part))
        return line
    }

    private func control(_ node: PageNode) -> [TerminalLine] {
        guard let place = node.control, page.controls[place].kind == .choice else { return [] }
        var line = TerminalLine()
        for (option, name) in page.controls[place].options.enumerated() {
            let isChosen = variant.chosen[place] == option
            let text = DisplayWidth.truncated(DisplayWidth.sanitized(name), 30)
            if option > 0 { line.add("  ") }
            line.add(isChosen ? "[\(text)]" : " \(text) ", isChosen ? TerminalStyle.bold : nil)
            if line.width > columns * 2 { break }
        }
        return line.width <= columns
            ? [line] : wrapped(line.text(isColoured: false), style: nil, width: columns)
    }

    /// Places nodes below each other. Empty lines are around charts, before headings below the first level, and between nodes
    /// with large spacing.
    private func below(_ children: [Int], spacing: Double) -> [TerminalLine] {
        var lines: [TerminalLine] = []
        var wasLarge = false
        for child in children where !blocks[child].isEmpty {
            let isLarge = flex.hasChart[child] || tree.nodes[child].heading.map { $0 > 1 } == true
            let isAfterHeading = !lines.isEmpty && wasLarge == false && flex.hasChart[child] && spacing < 16
            let hasAir = spacing >= 16 || isLarge || wasLarge
            if !lines.isEmpty, hasAir, !isAfterHeading { lines.append(TerminalLine()) }
            lines += blocks[child]
            wasLarge = flex.hasChart[child]
        }
        return lines
    }
}
