import STContracts

/// Layout goes through both of them, widths first: how tall a text is depends on how wide it is.
enum PageDirection {
    case across, down

    func padding(_ edges: PageEdges?) -> (before: Double, after: Double) {
        guard let edges else { return (0, 0) }
        let pair = self == .across ? (edges.leading, edges.trailing) : (edges.top, edges.bottom)
        return (PageSpan.length(pair.0) ?? 0, PageSpan.length(pair.1) ?? 0)
    }

    func fixed(_ frame: PageFrame?) -> Double? {
        PageSpan.length(self == .across ? frame?.width : frame?.height).map { max(0, $0) }
    }

    func least(_ frame: PageFrame?) -> Double? {
        PageSpan.length(self == .across ? frame?.minWidth : frame?.minHeight).map { max(0, $0) }
    }

    func most(_ frame: PageFrame?) -> Double? {
        PageSpan.length(self == .across ? frame?.maxWidth : frame?.maxHeight).map { max(0, $0) }
    }

    func fills(_ frame: PageFrame?) -> Bool {
        (self == .across ? frame?.fillsWidth : frame?.fillsHeight) ?? false
    }

    func part(_ align: PageAlign?) -> Double { (self == .across ? align?.across : align?.down) ?? 0.5 }

    /// Whether a stack of this kind puts things one after the other in this direction.
    func isAlong(_ node: PageNode) -> Bool {
        switch node.kind {
        case .horizontal: self == .across
        case .vertical, .section, .list: self == .down
        case .scroll: (node.isHorizontal == true) == (self == .across)
        default: false
        }
    }

    /// What a frame makes of what stands in it.
    func framed(_ inner: PageSpan, _ frame: PageFrame?) -> PageSpan {
        if let fixed = fixed(frame) { return PageSpan(fixed: fixed) }
        var span = inner
        if let least = least(frame) {
            span = PageSpan(max(span.min, least), max(span.ideal, least), max(span.max, least))
        }
        if fills(frame) { span.max = .infinity }
        if let most = most(frame) {
            span = PageSpan(min(span.min, most), min(span.ideal, most), most)
        }
        return span
    }

    /// Whether a box is as large as its frame says rather than as what stands in it.
    func isFramed(_ frame: PageFrame?) -> Bool { fixed(frame) != nil || most(frame) != nil || fills(frame) }
}
