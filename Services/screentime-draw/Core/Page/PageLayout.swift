import STContracts

/// Where everything of a page goes: each node offers room to those in it, and they answer how much of it they take.
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
    private var spans: [PageSpan]
    private var widths: [Double]
    private var heights: [Double]
    private(set) var boxes: [Box]
    /// The baseline of the first line in each, from its upper edge.
    private var baselines: [Double?]

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
        // A page has no height of its own.
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

    private func baselineSpan(_ index: Int) -> PageSpan {
        let (above, below) = lineParts(index) { spans[$0].ideal }
        let most = outline.children[index].reduce(0) { max($0, spans[$1].max) }
        return PageSpan(above + below, above + below, max(above + below, most))
    }

    private func spacing(_ index: Int) -> Double? {
        PageSpan.length(nodes[index].spacing).map { max(0, $0) }
    }

    /// The room between each and the next; none beside a spacer, unless the page sets it.
    private func gaps(_ index: Int) -> [Double] {
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

    /// The least flexible choose first, each from an even share of what is left; spacers take what the others leave.
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

    // MARK: - Where each goes

    /// Puts everything where it is: what is smaller than its room goes where its container's alignment says.
    private mutating func place(_ room: Double) {
        boxes[0] = Box(max(0, (room - widths[0]) / 2), 0, widths[0], heights[0])
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
                    put(child, box.x + leading + x, box.y + top + y)
                }
            case .vertical, .section, .list: placeColumn(index)
            case .horizontal: placeRow(index)
            case .scroll: if node.isHorizontal == true { placeRow(index) } else { placeColumn(index) }
            case .grid: placeGrid(index)
            case .over, .behind: placeLaid(index)
            default:
                for child in inner {
                    put(
                        child,
                        box.x + (box.width - widths[child]) * PageDirection.across.part(node.align),
                        box.y + (box.height - heights[child]) * PageDirection.down.part(node.align)
                    )
                }
            }
        }
    }

    private mutating func put(_ index: Int, _ x: Double, _ y: Double) {
        boxes[index] = Box(x, y, widths[index], heights[index])
    }

    /// On or behind the first of them; where that is a pie, not on its legend.
    private mutating func placeLaid(_ index: Int) {
        let align = nodes[index].align
        for (place, child) in outline.children[index].enumerated() {
            var room = place == 0 ? boxes[index] : plot(index)
            // What is as large as the whole chart covers all of it.
            if widths[child] > room.width || heights[child] > room.height { room = boxes[index] }
            put(
                child,
                room.x + (room.width - widths[child]) * PageDirection.across.part(align),
                room.y + (room.height - heights[child]) * PageDirection.down.part(align)
            )
        }
    }

    /// Where a pie is that something lies on, also when more lies in between; else the whole box.
    private func plot(_ index: Int) -> Box {
        var below = index
        while [.over, .behind].contains(nodes[below].kind), let base = outline.children[below].first {
            below = base
        }
        // What lies on something never makes it larger: all of them are as large as the chart.
        let box = boxes[index]
        return parts.pie(below, widths[below], heights[below])?.moved(box.x, box.y) ?? box
    }

    private mutating func placeColumn(_ index: Int) {
        let box = boxes[index]
        let part = PageDirection.across.part(nodes[index].align)
        let gaps = gaps(index)
        var y = box.y
        for (place, child) in outline.children[index].enumerated() {
            put(child, box.x + (box.width - widths[child]) * part, y)
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
            put(child, x, box.y + y)
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
                    box.x + Double(place) * (column + gap)
                        + (column - widths[child]) * PageDirection.across.part(align),
                    y + (row.height - heights[child]) * PageDirection.down.part(align)
                )
            }
            y += row.height + gap
        }
    }

    // MARK: - Lines of text beside each other

    /// How far what stands in a row reaches above and below the line that all of it stands on.
    private func lineParts(_ index: Int, _ height: (Int) -> Double) -> (above: Double, below: Double) {
        outline.children[index].reduce((0, 0)) { parts, child in
            let own = baselines[child] ?? height(child)
            return (max(parts.0, own), max(parts.1, height(child) - own))
        }
    }

    /// The baseline of the first line in it, when it is as tall as `height` says.
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
