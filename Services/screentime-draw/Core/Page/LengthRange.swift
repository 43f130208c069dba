import STContracts

/// The lengths that a node can take along one axis. Its response to an offer is the nearest length in this range.
struct LengthRange: Equatable {
    var min: Double
    /// The length without an offer.
    var ideal: Double
    var max: Double

    init(_ min: Double, ideal: Double, max: Double) {
        self.min = min
        self.ideal = ideal
        self.max = max
    }

    init(fixed: Double) { self.init(fixed, ideal: fixed, max: fixed) }

    static let nothing = LengthRange(fixed: 0)
    /// The span of shapes, as in SwiftUI.
    static let flexible = LengthRange(0, ideal: 10, max: .infinity)

    func taken(of offer: Double) -> Double { Swift.max(min, Swift.min(offer, max)) }

    func adding(_ length: Double) -> LengthRange {
        LengthRange(
            Swift.max(0, min + length),
            ideal: Swift.max(0, ideal + length),
            max: Swift.max(0, max + length)
        )
    }

    /// Returns the span of two nodes beside each other.
    static func + (one: LengthRange, other: LengthRange) -> LengthRange {
        LengthRange(one.min + other.min, ideal: one.ideal + other.ideal, max: one.max + other.max)
    }

    /// Returns the span of two nodes on top of each other.
    func union(_ other: LengthRange) -> LengthRange {
        LengthRange(
            Swift.max(min, other.min),
            ideal: Swift.max(ideal, other.ideal),
            max: Swift.max(max, other.max)
        )
    }

    /// Returns a length within the limits of a page, or nil if the value is not a finite number.
    static func length(_ value: Double?) -> Double? {
        guard let value, value.isFinite else { return nil }
        return Swift.min(Swift.max(value, -DrawLimits.pageHeightMax), DrawLimits.pageHeightMax)
    }
}

/// The two directions of the layout. Widths come first, because the height of a text depends on its width.
enum PageDirection {
    case across, down

    func padding(_ edges: PageEdges?) -> (before: Double, after: Double) {
        guard let edges else { return (0, 0) }
        let pair = self == .across ? (edges.leading, edges.trailing) : (edges.top, edges.bottom)
        return (LengthRange.length(pair.0) ?? 0, LengthRange.length(pair.1) ?? 0)
    }

    func fixed(_ frame: PageFrame?) -> Double? {
        LengthRange.length(self == .across ? frame?.width : frame?.height).map { max(0, $0) }
    }

    func minimum(_ frame: PageFrame?) -> Double? {
        LengthRange.length(self == .across ? frame?.minWidth : frame?.minHeight).map { max(0, $0) }
    }

    func maximum(_ frame: PageFrame?) -> Double? {
        LengthRange.length(self == .across ? frame?.maxWidth : frame?.maxHeight).map { max(0, $0) }
    }

    func fills(_ frame: PageFrame?) -> Bool {
        (self == .across ? frame?.fillsWidth : frame?.fillsHeight) ?? false
    }

    func part(_ align: PageAlign?) -> Double { (self == .across ? align?.across : align?.down) ?? 0.5 }

    /// Returns true if this node places its children one after the other in this direction.
    func isAlong(_ node: PageNode) -> Bool {
        switch node.kind {
        case .horizontal: self == .across
        case .vertical, .section, .list: self == .down
        case .scroll: (node.isHorizontal == true) == (self == .across)
        default: false
        }
    }

    /// Returns the span of a frame around `inner`.
    func framed(_ inner: LengthRange, _ frame: PageFrame?) -> LengthRange {
        if let fixed = fixed(frame) { return LengthRange(fixed: fixed) }
        var span = inner
        if let least = minimum(frame) {
            span = LengthRange(max(span.min, least), ideal: max(span.ideal, least), max: max(span.max, least))
        }
        if fills(frame) { span.max = .infinity }
        if let most = maximum(frame) {
            span = LengthRange(min(span.min, most), ideal: min(span.ideal, most), max: most)
        }
        return span
    }

    /// Returns true if the frame of a box determines its size, rather than its content.
    func isFramed(_ frame: PageFrame?) -> Bool {
        fixed(frame) != nil || maximum(frame) != nil || fills(frame)
    }
}

extension PageAlign {
    /// The fraction of the free space on the leading side: 0, 0.5 or 1.
    var across: Double {
        switch self {
        case .leading, .topLeading, .bottomLeading: 0
        case .trailing, .topTrailing, .bottomTrailing: 1
        case .center, .top, .bottom, .baseline, .unknown: 0.5
        }
    }

    /// The fraction of the free space above: 0, 0.5 or 1.
    var down: Double {
        switch self {
        case .top, .topLeading, .topTrailing: 0
        case .bottom, .bottomLeading, .bottomTrailing: 1
        case .center, .leading, .trailing, .baseline, .unknown: 0.5
        }
    }
}
