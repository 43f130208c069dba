import STContracts
import STPlatform
import STTestSupport

/// Random charts of every kind.
struct ChartSamples {
    var random: SeededRandom

    static let kinds: [PageMarkKind] = [.sector, .bar, .line, .area, .point, .rule]
    static let texts = [
        "Games", "게임", "", "<b>&\"'</b>", "\u{202E}evil", "👩‍👩‍👧‍👦", "a\u{0}b\u{1B}[31m", "</script>",
        "A very long name of something that people will never read to its end, or would you?",
        "긴 이름을 가진 응용 프로그램이라서 어디에도 들어가지 않습니다",
    ]

    mutating func text() -> String { random.pick(Self.texts) ?? "" }

    mutating func number() -> Double {
        switch random.number(0...9) {
        case 0: 0
        case 1: 1e15
        case 2: 1e-9
        case 3: -Double(random.number(0...5000))
        default: Double(random.number(0...100_000))
        }
    }

    mutating func datum(_ kind: Int) -> PageDatum? {
        switch kind {
        case 0: PageDatum(number: number())
        case 1: PageDatum(text: text())
        case 2: PageDatum(wallMs: SamplePages.midnight + Int64(random.number(0...400)) * SamplePages.hour)
        default: nil
        }
    }

    mutating func chart() -> PageChart {
        let kind = random.pick(Self.kinds) ?? .bar
        let isMixed = random.chance(percent: 20)
        let (x, y) = (random.number(0...3), random.number(0...3))
        let count = random.chance(percent: 3) ? 1000 : random.number(0...30)
        let marks = (0..<count).map { _ in
            mark(isMixed ? random.pick(Self.kinds) ?? .bar : kind, x: x, y: y)
        }
        return PageChart(
            marks: marks,
            series: (0..<random.number(0...5)).map { _ in
                PageSeries(name: text(), color: PageColor(light: "#FF3B30FF", dark: "#FF453A80"))
            },
            x: axis(),
            y: axis(),
            legend: random.pick([.automatic, .hidden, .bottom, .top, .leading, .trailing, nil]) ?? nil,
            summary: random.chance(percent: 50) ? text() : nil
        )
    }

    private mutating func axis() -> PageAxis? {
        guard random.chance(percent: 60) else { return nil }
        var axis = PageAxis(
            isHidden: random.chance(percent: 20),
            label: random.chance(percent: 20) ? text() : nil,
            unit: random.pick([.number, .duration, .percent, .date, nil]) ?? nil,
            step: random.pick([.hour, .day, .week, .month, nil]) ?? nil
        )
        if random.chance(percent: 20) {
            axis.from = Double(random.number(-500...5000))
            axis.to = (axis.from ?? 0) + Double(random.number(1...1000))
        }
        return axis
    }

    private mutating func radius() -> PageRadius? {
        guard random.chance(percent: 50) else { return nil }
        return PageRadius(
            kind: random.pick([.automatic, .ratio, .inset, .fixed]) ?? .ratio,
            value: random.pick([0, 0.3, 0.9, 1, 12, 400, -3])
        )
    }

    private mutating func mark(_ kind: PageMarkKind, x: Int, y: Int) -> PageMark {
        PageMark(
            kind: kind,
            series: random.chance(percent: 60) ? text() : nil,
            x: datum(x),
            xEnd: random.chance(percent: 10) ? datum(x) : nil,
            y: datum(y),
            yEnd: random.chance(percent: 10) ? datum(y) : nil,
            angle: abs(number()),
            inner: radius(),
            outer: radius(),
            inset: random.pick([0, 1.5, 40, nil]) ?? nil,
            width: radius(),
            corner: random.pick([0, 4, 100, nil]) ?? nil,
            group: random.chance(percent: 20) ? text() : nil,
            opacity: random.pick([0, 0.4, 1, nil]) ?? nil,
            note: random.chance(percent: 20) ? text() : nil,
            says: random.chance(percent: 20) ? text() : nil
        )
    }
}
