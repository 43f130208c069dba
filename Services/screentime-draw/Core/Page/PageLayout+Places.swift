import STContracts

extension PageLayout {
    /// Puts everything where it is: what is smaller than its room goes where its container's alignment says.
    mutating func place(_ room: Double) {
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
    func lineParts(_ index: Int, _ height: (Int) -> Double) -> (above: Double, below: Double) {
        outline.children[index].reduce((0, 0)) { parts, child in
            let own = baselines[child] ?? height(child)
            return (max(parts.0, own), max(parts.1, height(child) - own))
        }
    }

    /// Of the first line in it, when it is as tall as `height` says.
    func baseline(_ index: Int, _ height: (Int) -> Double) -> Double? {
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
