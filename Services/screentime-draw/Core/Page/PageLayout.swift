import STContracts

/// The layout of a page. Each node offers space to its children, and they respond with the space that they take.
///
/// The rules are those of SwiftUI, but all widths are computed before all heights. So each node is measured once per direction,
/// at any depth, without recursion. Nodes are in preorder, so a forward loop goes down the tree, and a backward loop goes up.
struct PageLayout {
    static let defaultSpacing = 8.0
    static let spacerLength = 8.0

    let outline: PageOutline
    let parts: PageParts
    /// The possible lengths of each node, in the present direction.
    private var spans: [LengthRange]
    private var widths: [Double]
    private var heights: [Double]
    private(set) var boxes: [Box]
    /// The baseline of the first line in each node, from its upper edge.
    private var baselines: [Double?]

    init(_ outline: PageOutline, _ parts: PageParts, width: Double) {
        self.outline = outline
        self.parts = parts
        let count = outline.nodes.count
        spans = [LengthRange](repeating: .nothing, count: count)
        widths = [Double](repeating: 0, count: count)
        heights = [Double](repeating: 0, count: count)
        boxes = [Box](repeating: Box(x: 0, y: 0, width: 0, height: 0), count: count)
        baselines = [Double?](repeating: nil, count: count)
        guard count > 0 else { return }
        measure(.across)
        distributeAll(.across, root: width)
        finalize(.across)
        measure(.down)
        // The height of a page is not limited.
        distributeAll(.down, root: spans[0].ideal)
        finalize(.down)
        place(width)
    }

    var nodes: [PageNode] { outline.nodes }

    private func length(_ index: Int, _ direction: PageDirection) -> Double {
        direction == .across ? widths[index] : heights[index]
    }

    private mutating func set(_ index: Int, direction: PageDirection, length: Double) {
        if direction == .across { widths[index] = length } else { heights[index] = length }
    }

    // MARK: - Possible lengths, from the inside out

    private mutating func measure(_ direction: PageDirection) {
        for index in nodes.indices.reversed() {
            spans[index] = span(index, direction)
            if direction == .down { baselines[index] = baseline(index) { spans[$0].ideal } }
        }
    }

    private func span(_ index: Int, _ direction: PageDirection) -> LengthRange {
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
            return LengthRange(0, ideal: (inner.first ?? .nothing).ideal, max: .infinity)
        case .vertical, .horizontal, .layered, .section, .list:
            guard direction.isAlong(node) else {
                if node.align == .baseline, direction == .down { return baselineSpan(index) }
                return inner.reduce(.nothing) { $0.union($1) }
            }
            let gaps = gaps(index).reduce(0, +)
            return inner.reduce(LengthRange(fixed: gaps)) { $0 + $1 }
        default:
            return parts.span(
                index,
                node: node,
                direction: direction,
                isInRow: outline.isInRow[index],
                width: widths[index]
            )
        }
    }

    private func gridSpan(_ index: Int, _ direction: PageDirection) -> LengthRange {
        let inner = outline.children[index]
        let (columns, gap) = grid(index)
        if direction == .across {
            let widest = inner.reduce(LengthRange.nothing) { $0.union(spans[$1]) }
            let gaps = gap * Double(columns - 1)
            return LengthRange(
                widest.min * Double(columns) + gaps,
                ideal: widest.ideal * Double(columns) + gaps,
                max: .infinity
            )
        }
        let rows = gridRows(index)
        return LengthRange(fixed: rows.reduce(0) { $0 + $1.height } + gap * Double(max(0, rows.count - 1)))
    }

    private func grid(_ index: Int) -> (columns: Int, gap: Double) {
        let columns = min(max(1, nodes[index].columns ?? 2), max(1, outline.children[index].count))
        return (columns, spacing(index) ?? Self.defaultSpacing)
    }

    private func gridRows(_ index: Int) -> [(nodes: ArraySlice<Int>, height: Double)] {
        let inner = outline.children[index]
        return stride(from: 0, to: inner.count, by: grid(index).columns).map { start in
            let row = inner[start..<min(start + grid(index).columns, inner.count)]
            return (row, row.reduce(0) { max($0, spans[$1].ideal) })
        }
    }

    private func baselineSpan(_ index: Int) -> LengthRange {
        let (above, below) = lineParts(index) { spans[$0].ideal }
        let most = outline.children[index].reduce(0) { max($0, spans[$1].max) }
        return LengthRange(above + below, ideal: above + below, max: max(above + below, most))
    }

    private func spacing(_ index: Int) -> Double? {
        LengthRange.length(nodes[index].spacing).map { max(0, $0) }
    }

    /// Returns the gaps between neighbours. There is no gap beside a spacer unless the page sets one.
    private func gaps(_ index: Int) -> [Double] {
        let inner = outline.children[index]
        let gap = spacing(index)
        return zip(inner, inner.dropFirst()).map { one, next in
            gap ?? (nodes[one].kind == .spacer || nodes[next].kind == .spacer ? 0 : Self.defaultSpacing)
        }
    }

    // MARK: - Offered lengths, from the outside in

    private mutating func distributeAll(_ direction: PageDirection, root: Double) {
        var offers = [Double](repeating: root, count: nodes.count)
        for index in nodes.indices {
            let node = nodes[index]
            let taken = response(index, offer: offers[index], direction: direction)
            set(index, direction: direction, length: taken)
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
                for (child, length) in zip(inner, distribute(inner, room: room, direction: direction)) {
                    offers[child] = length
                }
            default: for child in inner { offers[child] = taken }
            }
        }
    }

    /// Distributes the space of a stack. The least flexible nodes choose first, each from an equal share of the rest. Spacers
    /// take the remaining space.
    private func distribute(_ inner: [Int], room: Double, direction: PageDirection) -> [Double] {
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
        // The minimum lengths of spacers are not available to the others.
        let kept = zip(inner, isSpacer).reduce(0) { $0 + ($1.1 ? spans[$1.0].min : 0) }
        var rest = room - kept
        for (place, index) in order.enumerated() {
            if place == others { rest += kept }
            let left = (isSpacer[index] ? order.count : others) - place
            lengths[index] = response(inner[index], offer: max(0, rest / Double(left)), direction: direction)
            rest -= lengths[index]
        }
        return lengths
    }

    /// Returns the length that a node takes of an offer. A wrapped text may need less than it is offered.
    private func response(_ index: Int, offer: Double, direction: PageDirection) -> Double {
        let taken = spans[index].taken(of: offer)
        guard direction == .across, let text = parts.texts[index] else { return taken }
        text.fit(width: taken, lines: text.linesAllowed)
        return min(taken, text.width)
    }

    // MARK: - Final lengths

    private mutating func finalize(_ direction: PageDirection) {
        for index in nodes.indices.reversed() {
            let node = nodes[index]
            let inner = outline.children[index]
            let lengths = inner.map { length($0, direction) }
            switch node.kind {
            case .box where !direction.isFramed(node.box?.frame):
                let (before, after) = direction.padding(node.box?.padding)
                let least = direction.minimum(node.box?.frame) ?? 0
                set(
                    index,
                    direction: direction,
                    length: max(least, max(0, (lengths.first ?? 0) + before + after))
                )
            case .over, .behind:
                set(index, direction: direction, length: lengths.first ?? 0)
                // A leaf on or behind another node takes the final length of that node, as far as its span allows.
                for child in inner.dropFirst() where outline.children[child].isEmpty {
                    set(child, direction: direction, length: spans[child].taken(of: lengths.first ?? 0))
                }
            case .scroll where direction.isAlong(node): break
            case .vertical, .horizontal, .layered, .section, .list, .scroll:
                if direction.isAlong(node) {
                    set(index, direction: direction, length: lengths.reduce(gaps(index).reduce(0, +), +))
                } else if node.align == .baseline, direction == .down {
                    let (above, below) = lineParts(index) { heights[$0] }
                    set(index, direction: direction, length: above + below)
                } else {
                    set(index, direction: direction, length: lengths.reduce(0, max))
                }
            case .text where direction == .down: compress(index)
            default: break
            }
            if direction == .down { baselines[index] = baseline(index) { heights[$0] } }
        }
    }

    /// Shortens a text to fewer lines with an ellipsis if it has too little height.
    private mutating func compress(_ index: Int) {
        guard let text = parts.texts[index], heights[index] < text.height - 0.5 else { return }
        text.fit(width: widths[index], lines: max(1, Int(heights[index] / max(1, text.lineHeight) + 0.01)))
        heights[index] = text.height
    }

    // MARK: - Positions

    /// Sets the frame of each node. A node that is smaller than its space is placed by the alignment of its container.
    private mutating func place(_ room: Double) {
        boxes[0] = Box(x: max(0, (room - widths[0]) / 2), y: 0, width: widths[0], height: heights[0])
        for index in nodes.indices {
            let node = nodes[index]
            let box = boxes[index]
            let inner = outline.children[index]
            switch node.kind {
            case .box:
                let edges = node.box?.padding
                let (leading, trailing) = PageDirection.across.padding(edges)
                let (top, bottom) = PageDirection.down.padding(edges)
                let align = node.box?.frame?.align
                for child in inner {
                    let x =
                        (box.width - widths[child] - leading - trailing) * PageDirection.across.part(align)
                    let y = (box.height - heights[child] - top - bottom) * PageDirection.down.part(align)
                    put(child, x: box.x + leading + x, y: box.y + top + y)
                }
            case .vertical, .section, .list: placeColumn(index)
            case .horizontal: placeRow(index)
            case .scroll: if node.isHorizontal == true { placeRow(index) } else { placeColumn(index) }
            case .grid: placeGrid(index)
            case .over, .behind: placeLayers(index)
            default:
                for child in inner {
                    put(
                        child,
                        x: box.x + (box.width - widths[child]) * PageDirection.across.part(node.align),
                        y: box.y + (box.height - heights[child]) * PageDirection.down.part(node.align)
                    )
                }
            }
        }
    }

    private mutating func put(_ index: Int, x: Double, y: Double) {
        boxes[index] = Box(x: x, y: y, width: widths[index], height: heights[index])
    }

    /// Places nodes on or behind the first of them. If the first is a pie, they are centred on the pie without its legend.
    private mutating func placeLayers(_ index: Int) {
        let align = nodes[index].align
        for (place, child) in outline.children[index].enumerated() {
            var room = place == 0 ? boxes[index] : plot(index)
            // A node as large as the whole chart covers all of it.
            if widths[child] > room.width || heights[child] > room.height { room = boxes[index] }
            put(
                child,
                x: room.x + (room.width - widths[child]) * PageDirection.across.part(align),
                y: room.y + (room.height - heights[child]) * PageDirection.down.part(align)
            )
        }
    }

    /// Returns the frame of the pie at the bottom of the layers, or otherwise the whole box.
    private func plot(_ index: Int) -> Box {
        var below = index
        while [.over, .behind].contains(nodes[below].kind), let base = outline.children[below].first {
            below = base
        }
        // Layers never make a node larger, so all of them have the size of the chart.
        let box = boxes[index]
        return parts.pie(below, width: widths[below], height: heights[below])?.moved(box.x, box.y) ?? box
    }

    private mutating func placeColumn(_ index: Int) {
        let box = boxes[index]
        let part = PageDirection.across.part(nodes[index].align)
        let gaps = gaps(index)
        var y = box.y
        for (place, child) in outline.children[index].enumerated() {
            put(child, x: box.x + (box.width - widths[child]) * part, y: y)
            y += heights[child] + (place < gaps.count ? gaps[place] : 0)
        }
    }

    private mutating func placeRow(_ index: Int) {
        let box = boxes[index]
        let gaps = gaps(index)
        let line = nodes[index].align == .baseline ? lineParts(index) { heights[$0] }.above : nil
        let part = PageDirection.down.part(nodes[index].align)
        var x = box.x
        for (place, child) in outline.children[index].enumerated() {
            let y =
                line.map { $0 - (baselines[child] ?? heights[child]) } ?? (box.height - heights[child]) * part
            put(child, x: x, y: box.y + y)
            x += widths[child] + (place < gaps.count ? gaps[place] : 0)
        }
    }

    private mutating func placeGrid(_ index: Int) {
        let box = boxes[index]
        let (columns, gap) = grid(index)
        let column = (box.width - gap * Double(columns - 1)) / Double(columns)
        let align = nodes[index].align
        var y = box.y
        for row in gridRows(index) {
            for (place, child) in row.nodes.enumerated() {
                put(
                    child,
                    x: box.x + Double(place) * (column + gap)
                        + (column - widths[child]) * PageDirection.across.part(align),
                    y: y + (row.height - heights[child]) * PageDirection.down.part(align)
                )
            }
            y += row.height + gap
        }
    }

    // MARK: - Baselines

    /// Returns the largest extents above and below the common baseline of a row.
    private func lineParts(_ index: Int, _ height: (Int) -> Double) -> (above: Double, below: Double) {
        outline.children[index].reduce((0, 0)) { parts, child in
            let own = baselines[child] ?? height(child)
            return (max(parts.0, own), max(parts.1, height(child) - own))
        }
    }

    /// Returns the baseline of the first line in a node of this height.
    private func baseline(_ index: Int, _ height: (Int) -> Double) -> Double? {
        let node = nodes[index]
        let inner = outline.children[index]
        switch node.kind {
        case .text: return parts.texts[index]?.baseline
        case .image: return node.image?.kind == .system ? height(index) * 0.81 : nil
        case .box:
            guard let child = inner.first, let own = baselines[child] else { return nil }
            let (top, bottom) = PageDirection.down.padding(node.box?.padding)
            let free = height(index) - height(child) - top - bottom
            return own + top + free * PageDirection.down.part(node.box?.frame?.align)
        case .vertical, .section, .list: return inner.first.flatMap { baselines[$0] }
        case .horizontal where node.align == .baseline:
            return inner.contains { baselines[$0] != nil } ? lineParts(index, height).above : nil
        case .horizontal, .layered, .over, .behind:
            guard let child = inner.first(where: { baselines[$0] != nil }), let own = baselines[child] else {
                return nil
            }
            return own + (height(index) - height(child)) * PageDirection.down.part(node.align)
        default: return nil
        }
    }
}
