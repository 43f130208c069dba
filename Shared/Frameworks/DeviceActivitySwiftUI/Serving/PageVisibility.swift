import STContracts

/// Whether there is anything to be seen on a page.
struct PageVisibility {
    private let nodes: [PageNode]
    private var index = 0

    private init(_ nodes: [PageNode]) { self.nodes = nodes }

    static func hasAnything(_ page: Page) -> Bool {
        page.variants.contains { variant in
            var all = PageVisibility(variant.nodes)
            while all.index < variant.nodes.count {
                if all.next() { return true }
            }
            return false
        }
    }

    /// Of the next node with all that is in it; a page is never deeper than its limit.
    private mutating func next() -> Bool {
        guard index < nodes.count else { return false }
        let node = nodes[index]
        index += 1
        var isSeen = Self.isSeen(node)
        for _ in 0..<max(0, node.count ?? 0) {
            // All of them are gone through, as the next one stands behind them.
            let inner = next()
            isSeen = isSeen || inner
        }
        return isSeen && node.box?.opacity.map { $0 > 0 } ?? true
    }

    private static func isSeen(_ node: PageNode) -> Bool {
        switch node.kind {
        case .text: (node.runs ?? []).contains { $0.text.contains { !$0.isWhitespace } }
        case .box: isSeen(node.box?.background) || isSeen(node.box?.border)
        case .shape: isSeen(node.shape?.fill) || isSeen(node.shape?.stroke)
        case .chart: !(node.chart?.marks.isEmpty ?? true)
        case .image, .divider, .progress, .report, .control: true
        case .vertical, .horizontal, .layered, .over, .behind, .spacer, .list, .section, .scroll, .grid,
            .unknown:
            false
        }
    }

    /// `#RRGGBBAA`: one that lets everything through cannot be seen.
    private static func isSeen(_ paint: PagePaint?) -> Bool {
        guard let paint else { return false }
        let colors = ([paint.color] + (paint.stops ?? []).map(\.color)).compactMap { $0 }
        return colors.contains {
            !($0.light.hasSuffix("00") && $0.light.count == 9) || !$0.dark.hasSuffix("00")
        }
    }
}
