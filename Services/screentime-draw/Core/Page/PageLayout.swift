import STContracts

/// Where everything of a page goes: room is offered downward, and what is taken of it is told upward.
///
/// As SwiftUI does it, but widths of the whole page first and heights after them. So every node is measured once a
/// direction, no matter how deep it stands, and nothing calls itself: nodes stand in preorder, so going through them
/// forwards goes down, and going backwards goes up.
struct PageLayout {
    static let defaultSpacing = 8.0
    static let spacerLength = 8.0

    let outline: PageOutline
    let parts: PageParts
    /// What each node can be, in the direction that is at work.
    var spans: [PageSpan]
    var widths: [Double]
    var heights: [Double]
    var boxes: [Box]
    /// Of the first line in it, from its upper edge.
    var baselines: [Double?]

    init(_ outline: PageOutline, _ parts: PageParts, width: Double) {
        self.outline = outline
        self.parts = parts
        let count = outline.nodes.count
        spans = [PageSpan](repeating: .nothing, count: count)
        widths = [Double](repeating: 0, count: count)
        heights = [Double](repeating: 0, count: count)
        boxes = [Box](repeating: Box(0, 0, 0, 0), count: count)
        baselines = [Double?](repeating: nil, count: count)
        guard count > 0 else { return }
        measure(.across)
        share(.across, root: width)
        settle(.across)
        measure(.down)
        // Nobody says how tall a page is.
        share(.down, root: spans[0].ideal)
        settle(.down)
        place(width)
    }

    var nodes: [PageNode] { outline.nodes }

    private func length(_ index: Int, _ direction: PageDirection) -> Double {
        direction == .across ? widths[index] : heights[index]
    }

    private mutating func set(_ index: Int, _ direction: PageDirection, _ length: Double) {
        if direction == .across { widths[index] = length } else { heights[index] = length }
    }

    // MARK: - What each can be, from the inside out

    private mutating func measure(_ direction: PageDirection) {
        for index in nodes.indices.reversed() {
            spans[index] = span(index, direction)
            if direction == .down { baselines[index] = baseline(index) { spans[$0].ideal } }
        }
    }

    private func span(_ index: Int, _ direction: PageDirection) -> PageSpan {
        let node = nodes[index]
        let inner = outline.children[index].map { spans[$0] }
        switch node.kind {
        case .box:
            let (before, after) = direction.padding(node.box?.padding)
            return direction.framed((inner.first ?? .nothing).adding(before + after), node.box?.frame)
        case .over, .behind: return inner.first ?? .nothing
        case .grid: return gridSpan(index, direction)
        case .scroll:
            guard direction.isAlong(node) else { fallthrough }
            return PageSpan(0, (inner.first ?? .nothing).ideal, .infinity)
        case .vertical, .horizontal, .layered, .section, .list:
            guard direction.isAlong(node) else {
                if node.align == .baseline, direction == .down { return baselineSpan(index) }
                return inner.reduce(.nothing) { $0.union($1) }
            }
            let gaps = gaps(index).reduce(0, +)
            return inner.reduce(PageSpan(fixed: gaps)) { $0 + $1 }
        default: return parts.span(index, node, direction, isInRow: outline.isInRow[index], widths[index])
        }
    }

    private func gridSpan(_ index: Int, _ direction: PageDirection) -> PageSpan {
        let inner = outline.children[index]
        let (columns, gap) = grid(index)
        if direction == .across {
            let widest = inner.reduce(PageSpan.nothing) { $0.union(spans[$1]) }
            let gaps = gap * Double(columns - 1)
            return PageSpan(
                widest.min * Double(columns) + gaps,
                widest.ideal * Double(columns) + gaps,
                .infinity
            )
        }
        let rows = gridRows(index)
        return PageSpan(fixed: rows.reduce(0) { $0 + $1.height } + gap * Double(max(0, rows.count - 1)))
    }

    func grid(_ index: Int) -> (columns: Int, gap: Double) {
        let columns = min(max(1, nodes[index].columns ?? 2), max(1, outline.children[index].count))
        return (columns, spacing(index) ?? Self.defaultSpacing)
    }

    func gridRows(_ index: Int) -> [(nodes: ArraySlice<Int>, height: Double)] {
        let inner = outline.children[index]
        return stride(from: 0, to: inner.count, by: grid(index).columns).map { start in
            let row = inner[start..<min(start + grid(index).columns, inner.count)]
            return (row, row.reduce(0) { max($0, spans[$1].ideal) })
        }
    }

    private func baselineSpan(_ index: Int) -> PageSpan {
        let (above, below) = lineParts(index) { spans[$0].ideal }
        let most = outline.children[index].reduce(0) { max($0, spans[$1].max) }
        return PageSpan(above + below, above + below, max(above + below, most))
    }

    private func spacing(_ index: Int) -> Double? {
        PageSpan.length(nodes[index].spacing).map { max(0, $0) }
    }

    /// The room between each and the next; none beside a spacer, when nobody said how much.
    func gaps(_ index: Int) -> [Double] {
        let inner = outline.children[index]
        let gap = spacing(index)
        return zip(inner, inner.dropFirst()).map { one, next in
            gap ?? (nodes[one].kind == .spacer || nodes[next].kind == .spacer ? 0 : Self.defaultSpacing)
        }
    }

    // MARK: - What each gets, from the outside in

    private mutating func share(_ direction: PageDirection, root: Double) {
        var offers = [Double](repeating: root, count: nodes.count)
        for index in nodes.indices {
            let node = nodes[index]
            let taken = response(index, offers[index], direction)
            set(index, direction, taken)
            let inner = outline.children[index]
            switch node.kind {
            case .box:
                let (before, after) = direction.padding(node.box?.padding)
                for child in inner { offers[child] = max(0, taken - before - after) }
            case .grid:
                let (columns, gap) = grid(index)
                if direction == .across {
                    let column = (taken - gap * Double(columns - 1)) / Double(columns)
                    for child in inner { offers[child] = max(0, column) }
                } else {
                    for row in gridRows(index) { for child in row.nodes { offers[child] = row.height } }
                }
            case .scroll where direction.isAlong(node):
                for child in inner { offers[child] = max(taken, spans[child].ideal) }
            case .vertical, .horizontal, .section, .list:
                guard direction.isAlong(node) else { fallthrough }
                let room = taken - gaps(index).reduce(0, +)
                for (child, length) in zip(inner, distribute(inner, room, direction)) {
                    offers[child] = length
                }
            default: for child in inner { offers[child] = taken }
            }
        }
    }

    /// The least flexible choose first, each from an even share of what is left; spacers take what nobody wants.
    private func distribute(_ inner: [Int], _ room: Double, _ direction: PageDirection) -> [Double] {
        let ideal = inner.reduce(0) { $0 + spans[$1].ideal }
        guard abs(room - ideal) > 0.01 else { return inner.map { spans[$0].ideal } }
        let flexibility = inner.map { spans[$0].max - spans[$0].min }
        let isSpacer = inner.map { nodes[$0].kind == .spacer }
        let order = inner.indices.sorted {
            if isSpacer[$0] != isSpacer[$1] { return isSpacer[$1] }
            return flexibility[$0] == flexibility[$1] ? $0 < $1 : flexibility[$0] < flexibility[$1]
        }
        var lengths = [Double](repeating: 0, count: inner.count)
        let others = isSpacer.lazy.filter { !$0 }.count
        // What spacers have at least is not there for others.
        let kept = zip(inner, isSpacer).reduce(0) { $0 + ($1.1 ? spans[$1.0].min : 0) }
        var rest = room - kept
        for (place, index) in order.enumerated() {
            if place == others { rest += kept }
            let left = (isSpacer[index] ? order.count : others) - place
            lengths[index] = response(inner[index], max(0, rest / Double(left)), direction)
            rest -= lengths[index]
        }
        return lengths
    }

    /// A text takes what its lines need, which is less than it is offered when it wraps.
    private func response(_ index: Int, _ offer: Double, _ direction: PageDirection) -> Double {
        let taken = spans[index].taken(of: offer)
        guard direction == .across, let text = parts.texts[index] else { return taken }
        text.fit(width: taken, lines: text.linesAllowed)
        return min(taken, text.width)
    }

    // MARK: - What each took in the end

    private mutating func settle(_ direction: PageDirection) {
        for index in nodes.indices.reversed() {
            let node = nodes[index]
            let inner = outline.children[index]
            let lengths = inner.map { length($0, direction) }
            switch node.kind {
            case .box where !direction.isFramed(node.box?.frame):
                let (before, after) = direction.padding(node.box?.padding)
                let least = direction.least(node.box?.frame) ?? 0
                set(index, direction, max(least, max(0, (lengths.first ?? 0) + before + after)))
            case .over, .behind:
                set(index, direction, lengths.first ?? 0)
                // What is as large as it may be, is as large as what it belongs to turned out.
                for child in inner.dropFirst() where outline.children[child].isEmpty {
                    set(child, direction, spans[child].taken(of: lengths.first ?? 0))
                }
            case .scroll where direction.isAlong(node): break
            case .vertical, .horizontal, .layered, .section, .list, .scroll:
                if direction.isAlong(node) {
                    set(index, direction, lengths.reduce(gaps(index).reduce(0, +), +))
                } else if node.align == .baseline, direction == .down {
                    let (above, below) = lineParts(index) { heights[$0] }
                    set(index, direction, above + below)
                } else {
                    set(index, direction, lengths.reduce(0, max))
                }
            case .text where direction == .down: squeeze(index)
            default: break
            }
            if direction == .down { baselines[index] = baseline(index) { heights[$0] } }
        }
    }

    /// With fewer lines, and an ellipsis, where there is no room for all of them.
    private mutating func squeeze(_ index: Int) {
        guard let text = parts.texts[index], heights[index] < text.height - 0.5 else { return }
        text.fit(width: widths[index], lines: max(1, Int(heights[index] / max(1, text.lineHeight) + 0.01)))
        heights[index] = text.height
    }
}
