import STContracts
import STTestSupport

/// Random pages that no real app would make.
struct RandomPage {
    private var seed: UInt64
    private let isMild: Bool
    private let depthMax: Int

    /// With `isMild`, no node requires more room than available, so everything must fit.
    init(seed: UInt64, isMild: Bool, depthMax: Int = 6) {
        self.seed = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        self.isMild = isMild
        self.depthMax = depthMax
    }

    private mutating func next(_ count: Int) -> Int {
        seed ^= seed << 13
        seed ^= seed >> 7
        seed ^= seed << 17
        return Int(seed % UInt64(count))
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[next(values.count)] }

    mutating func nodes() -> [PageNode] { node(0, isInRow: false) }

    private mutating func node(_ depth: Int, isInRow: Bool) -> [PageNode] {
        guard depth < depthMax, next(4) > 0 else { return leaf() }
        let aligns: [PageAlign?] = [nil, .leading, .trailing, .top, .bottom, .baseline, .center, .topLeading]
        let spacing: Double? = pick([nil, 0, 5, 20])
        switch next(isMild ? 8 : 12) {
        case 0, 1, 2:
            return stack(.vertical, depth: depth, isInRow: isInRow, spacing: spacing, align: pick(aligns))
        case 3 where !isInRow || !isMild:
            return stack(.horizontal, depth: depth, isInRow: true, spacing: spacing, align: pick(aligns))
        case 4: return stack(.layered, depth: depth, isInRow: isInRow, spacing: nil, align: pick(aligns))
        case 5, 3: return [PageNode(kind: .box, count: 1, box: box())] + node(depth + 1, isInRow: isInRow)
        case 6:
            let kind = pick([PageKind.over, .behind])
            let second = isMild ? PageBench.shape(.rounded, "#FF000080") : node(depth + 1, isInRow: isInRow)
            return [PageNode(kind: kind, count: 2)] + node(depth + 1, isInRow: isInRow) + second
        case 7:
            return stack(pick([.section, .list]), depth: depth, isInRow: isInRow, spacing: nil, align: nil)
        case 8:
            return stack(.scroll, depth: depth, isInRow: true, spacing: spacing, align: nil) {
                $0.isHorizontal = true
            }
        case 9:
            let columns = next(5) + 1
            return stack(.grid, depth: depth, isInRow: true, spacing: spacing, align: nil) {
                $0.columns = columns
            }
        default: return [PageNode(kind: .box, count: 1, box: wildBox())] + node(depth + 1, isInRow: isInRow)
        }
    }

    private mutating func stack(
        _ kind: PageKind,
        depth: Int,
        isInRow: Bool,
        spacing: Double?,
        align: PageAlign?,
        change: (inout PageNode) -> Void = { _ in }
    ) -> [PageNode] {
        let count = next(4) + (isMild ? 1 : 0)
        var inner: [PageNode] = []
        for _ in 0..<count { inner += node(depth + 1, isInRow: isInRow) }
        var node = PageNode(kind: kind, count: count, align: align, spacing: spacing)
        change(&node)
        return [node] + inner
    }

    private mutating func leaf() -> [PageNode] {
        switch next(isMild ? 6 : 10) {
        case 0, 1, 2:
            let words = pick([
                "a", "Screen Time", "오늘은 여기까지", "two\nlines", "1시간 20분", "", "한국어와 English 섞어서",
            ])
            let count = next(isMild ? 6 : 60)
            let text = Array(repeating: words, count: count).joined(separator: " ")
            return PageBench.text(text, size: pick([11, 13, 17, 34]), lines: pick([nil, 1, 2]))
        case 3: return PageBench.spacer
        case 4: return [PageNode(kind: pick([.divider, .progress]))]
        case 5:
            return PageBench.shape(pick([.rectangle, .circle, .capsule, .rounded, .ellipse]), "#00FF0080")
        case 6: return [PageNode(kind: .image, image: PageImage(kind: .system, name: "clock"))]
        case 7:
            let path = pick([
                "M0 0 L10 10 Z", "M1", "L5 5", "M0 0 a5 5 0 1 1 8 8 q 1 2 3 4 t 5 5 s1 1 2 2",
                "M1e9-3.5.5zzz",
            ])
            let stroke = PageBench.paint("#000000FF")
            let shape = PageShape(
                kind: .path,
                path: path,
                stroke: stroke,
                lineWidth: 3,
                trimFrom: 0.2,
                trimTo: 0.8
            )
            return [PageNode(kind: .shape, shape: shape)]
        case 8: return PageBench.image(pick(["iVBORw0KGgo=", "/9j/", "iVBORw0KGgoAAAANSUhEUgAA"]))
        default: return PageBench.chart(chart())
        }
    }

    private mutating func chart() -> PageChart {
        let count = next(30)
        let kinds: [PageMarkKind] = [.bar, .line, .area, .point, .rule, .sector]
        let kind = pick(kinds)
        let marks = (0..<count).map { index in
            PageMark(
                kind: kind,
                series: pick(["a", "b", nil]),
                x: PageDatum(number: Double(index)),
                y: PageDatum(number: Double(next(100)) - 20),
                angle: kind == .sector ? Double(next(9)) : nil
            )
        }
        return PageChart(marks: marks, series: [PageSeries(name: "a", color: PageBench.color("#FF0000FF"))])
    }

    private mutating func box() -> PageBox {
        PageBox(
            padding: pick([nil, PageBench.everySide(4)]),
            frame: pick([nil, PageFrame(fillsWidth: true), PageFrame(minHeight: 20, align: .bottomTrailing)]),
            background: pick([nil, PageBench.paint("#0000FF40")]),
            radius: pick([nil, 8]),
            border: pick([nil, PageBench.paint("#FF00FFFF")])
        )
    }

    private mutating func wildBox() -> PageBox {
        var box = box()
        let length: [Double?] = [nil, nil, 0, 0.001, 50, 3_000, 90_000]
        box.padding = pick([nil, PageBench.everySide(-40), PageBench.everySide(90_000)])
        box.frame = PageFrame(
            width: pick(length),
            height: pick(length),
            minWidth: pick(length),
            maxWidth: pick(length),
            minHeight: pick(length),
            maxHeight: pick(length),
            fillsHeight: pick([nil, true])
        )
        box.opacity = pick([nil, 0, 0.5])
        box.offsetX = pick([nil, -90_000, 30])
        box.rotation = pick([nil, 45, -1e3])
        box.scale = pick([nil, 0, -1, 100])
        box.shadow = pick([nil, 5, 90_000])
        box.clip = pick([nil, .circle, .capsule])
        let stop = { (hex: String, at: Double) in PageStop(color: PageBench.color(hex), at: at) }
        let kind = pick([PagePaintKind.linear, .radial, .angular])
        box.background = PagePaint(kind: kind, stops: [stop("#FF0000FF", 0), stop("#00FF0000", 1)])
        return box
    }
}
