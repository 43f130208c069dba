import STContracts
import STPlatform
import STTestSupport

/// Random pages with all kinds of nodes.
struct PageSamples {
    var charts: ChartSamples

    init(seed: UInt64) { charts = ChartSamples(random: SeededRandom(seed: seed)) }

    private static let aligns: [PageAlign] = [.center, .leading, .trailing, .top, .bottomTrailing, .baseline]

    mutating func page(_ language: String) -> Page {
        var nodes: [PageNode] = []
        add(&nodes, depth: 0)
        return Page(
            title: charts.random.chance(percent: 50) ? charts.text() : nil,
            language: language,
            zone: "Asia/Seoul",
            controls: [
                PageControl(
                    kind: .choice,
                    label: charts.text(),
                    options: [charts.text(), charts.text()],
                    chosen: 0
                )
            ],
            variants: [PageVariant(chosen: [0], nodes: nodes), PageVariant(chosen: [1], nodes: nodes)]
        )
    }

    private mutating func add(_ nodes: inout [PageNode], depth: Int) {
        let containers: [PageKind] = [
            .vertical, .horizontal, .layered, .box, .over, .behind, .list, .section, .scroll, .grid,
        ]
        let leaves: [PageKind] = [
            .text, .text, .spacer, .divider, .shape, .image, .progress, .chart, .control, .report,
        ]
        let isLeaf = depth > 5 || nodes.count > 60 || (depth > 1 && charts.random.chance(percent: 40))
        let kind = charts.random.pick(isLeaf ? leaves : containers) ?? .text
        var node = PageNode(kind: kind)
        switch kind {
        case .box: node.count = 1
        case .over, .behind: node.count = 2
        default: node.count = isLeaf ? nil : charts.random.number(0...4)
        }
        decorate(&node)
        nodes.append(node)
        for _ in 0..<(node.count ?? 0) { add(&nodes, depth: depth + 1) }
    }

    private mutating func decorate(_ node: inout PageNode) {
        let random = { (samples: inout ChartSamples) in samples.random.chance(percent: 30) }
        if random(&charts) { node.align = charts.random.pick(Self.aligns) }
        if random(&charts) { node.label = charts.text() }
        if random(&charts) { node.isDecoration = true }
        if random(&charts) { node.spacing = 20 }
        switch node.kind {
        case .text, .section:
            node.runs = (0..<charts.random.number(0...3)).map { _ in
                PageRun(
                    text: charts.text(),
                    font: PageFont(
                        size: Double(charts.random.number(8...60)),
                        weight: 700,
                        design: "monospaced"
                    ),
                    color: PageColor(light: "#FFFF00FF", dark: "#000000FF"),
                    underline: true
                )
            }
            if random(&charts) { node.heading = charts.random.number(1...3) }
            if random(&charts) { node.lines = 2 }
        case .shape:
            node.shape = PageShape(
                kind: charts.random.pick([.circle, .rounded, .capsule, .path, .ellipse]) ?? .circle,
                radius: 8,
                path: "M0 0L10 10",
                fill: paint(),
                stroke: paint(),
                lineWidth: 4,
                trimFrom: 0.1,
                trimTo: 0.6
            )
        case .image:
            node.image =
                random(&charts)
                ? PageImage(kind: .data, data: "iVBORw0KGgoAAAA=", width: 4, height: 4, scaling: "fill")
                : PageImage(
                    kind: .system,
                    name: charts.random.pick(["moon.fill", "lock.slash", "clock.circle.fill", "?"])
                )
        case .box:
            node.box = PageBox(
                padding: PageEdges(top: 8, leading: -4, bottom: 8, trailing: 4),
                frame: PageFrame(
                    width: random(&charts) ? 200 : nil,
                    height: 100,
                    fillsWidth: true,
                    align: .topLeading
                ),
                background: paint(),
                radius: 12,
                border: paint(),
                shadow: 4,
                opacity: random(&charts) ? 0.2 : 1,
                offsetX: 2,
                rotation: 5,
                scale: 0.9
            )
        case .progress: node.value = random(&charts) ? nil : 0.4
        case .chart: node.chart = charts.chart()
        case .control: node.control = 0
        case .report:
            node.report = PageReport(context: charts.text(), filter: SamplePages.filter)
        case .grid: node.columns = charts.random.number(1...6)
        case .scroll: node.isHorizontal = random(&charts)
        default: break
        }
    }

    private mutating func paint() -> PagePaint {
        let color = PageColor(light: "#FF3B30FF", dark: "#0A84FF80")
        let stops = [PageStop(color: color, at: 0), PageStop(color: SamplePages.gray, at: 1)]
        return switch charts.random.number(0...3) {
        case 0: PagePaint(kind: .color, color: color)
        case 1: PagePaint(kind: .linear, stops: stops, from: [0, 0], to: [1, 1])
        case 2: PagePaint(kind: .radial, stops: stops)
        default: PagePaint(kind: .angular, stops: stops)
        }
    }
}
