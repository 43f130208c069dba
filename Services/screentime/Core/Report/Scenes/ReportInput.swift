package import STContracts
package import STPlatform

/// The input of a built-in scene. The same input always produces the same page.
package struct ReportInput: Sendable {
    package var language: DisplayLanguage
    package var clock: ZonedClock
    package var period: ReportPeriod
    package var now: WallTime
    /// The key of the rows.
    package var key: ReportKey
    /// The number of items with their own row.
    package var top: Int
    /// True if each row shows the usage in the period before.
    package var compares: Bool
    package var member: String?
    /// The device's name for people.
    package var device: String?
    package var source: ReportSourceData
    /// True if apps are shown by their ids.
    package var areIDs = false

    package init(
        language: DisplayLanguage,
        clock: ZonedClock,
        period: ReportPeriod,
        now: WallTime,
        key: ReportKey,
        top: Int,
        compares: Bool = false,
        member: String? = nil,
        device: String? = nil,
        material: ReportSourceData
    ) {
        self.language = language
        self.clock = clock
        self.period = period
        self.now = now
        self.key = key
        self.top = top
        self.compares = compares
        self.member = member
        self.device = device
        self.source = material
    }

    var strings: ReportStrings { ReportStrings(language) }
    var dates: ReportDates { ReportDates(language) }
    var names: SubjectNames { SubjectNames(language, source.coverage, areIDs: areIDs) }
    var usage: ReportUsage.Reply { source.usage }

    /// The totals of all segments.
    var totals: ReportTotals { ReportTotals(usage.segments) }

    var isEmpty: Bool { totals.used == .zero && totals.pickups == 0 && totals.notifications == 0 }

    // Used by several scenes.

    /// Adds the large figure, and the comparison below it.
    func figure(_ page: inout PageComposer) {
        page.vertical(2) { figure in
            figure.text(dates.duration(totals.used), size: 34, weight: 700)
            if let sentence = ReportComparison.sentence(self) {
                figure.text(sentence, size: 15, color: ReportColors.secondary)
            }
        }
    }

    func heading(_ text: String, _ page: inout PageComposer) {
        page.text(text, size: 17, weight: 600, heading: 2)
    }

    /// Returns the leading items, and the number and usage of the rest.
    func leading(_ parts: [ReportPart], _ key: ReportKey, of total: Duration, restCount: Int64 = 0)
        -> (parts: [ReportPart], rest: (count: Int, used: Duration)?)
    {
        let used = parts.filter { $0.used > .zero || $0.pickups > 0 || $0.notifications > 0 }
        let shown = Array(used.prefix(top))
        let count = used.count - shown.count + Int(clamping: restCount)
        let rest = max(.zero, total - shown.reduce(.zero) { $0 + $1.used })
        return (shown, count > 0 ? (count, rest) : nil)
    }

    /// Returns the name of each item. Items with the same name have their ids too.
    func labels(_ parts: [ReportPart], _ key: ReportKey) -> [String] {
        let plain = parts.map { names.name($0, key) }
        var counts: [String: Int] = [:]
        for name in plain { counts[name, default: 0] += 1 }
        return zip(parts, plain).map { part, name in
            guard counts[name, default: 0] > 1, let id = part.id else { return name }
            return "\(name) (\(DisplayWidth.sanitized(id)))"
        }
    }

    func seconds(_ length: Duration) -> Double { Double(length.ms) / 1000 }

    /// Returns a chart with a horizontal bar for each item.
    func bars(_ parts: [ReportPart], _ key: ReportKey, note: (ReportPart) -> String) -> PageChart {
        let labels = labels(parts, key)
        let colors = ReportColors.of(parts.map(\.id), key)
        let marks = zip(parts, labels).map { part, label in
            PageMark(
                kind: .bar,
                x: PageDatum(number: seconds(part.used)),
                y: PageDatum(text: label),
                corner: 4,
                paint: PagePaint(
                    kind: .color,
                    color: key == .category ? colors[part.id] ?? ReportColors.rest : ReportColors.bar
                ),
                note: note(part),
                says: "\(label): \(note(part))"
            )
        }
        return PageChart(
            marks: marks,
            series: [],
            x: PageAxis(isHidden: true, unit: .duration, from: 0),
            y: PageAxis(unit: .category, categories: labels),
            legend: .hidden,
            valueName: strings.time,
            keyName: names.kind(key)
        )
    }

    func height(ofBars count: Int) -> Double { Double(max(1, count)) * Self.barHeight + 8 }

    private static let barHeight = 34.0
    private static let iconSide = 22.0

    /// Adds a chart of bars, with the icon of each app before its name.
    func plot(_ chart: PageChart, of parts: [ReportPart], _ key: ReportKey, on page: inout PageComposer) {
        let height = height(ofBars: parts.count)
        guard key == .app else { return page.chart(chart, height: height) }
        // A table follows the chart on the page, so the icons are aligned at the top. Each is as high as a row of the chart.
        page.horizontal(8, align: .top) { row in
            row.vertical(0) { column in
                for part in parts {
                    let frame = PageFrame(width: Self.iconSide, height: height / Double(parts.count))
                    let data = part.id.flatMap { source.icons[$0] } ?? AppTile.svg(names.name(part, .app))
                    column.boxed(PageBox(frame: frame)) {
                        let image = PageImage(kind: .data, data: data, scaling: "fit")
                        $0.add(PageNode(kind: .image, image: image, isDecoration: true))
                    }
                }
            }
            row.chart(chart, height: height)
        }
    }
}

/// A tile with a letter, for an app without an icon.
private enum AppTile {
    private static let colors = ["#3B7BE0", "#0A4F7F", "#B8530D", "#C2447A", "#16803C", "#7B44C2", "#6E6870"]

    /// Returns the picture in base64.
    static func svg(_ name: String) -> String {
        let letter = name.first { $0.isLetter || $0.isNumber }.map { String($0).uppercased() } ?? "·"
        let color = colors[name.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % colors.count]
        let text =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 64 64\">"
            + "<rect width=\"64\" height=\"64\" rx=\"15\" fill=\"\(color)\"/>"
            + "<text x=\"32\" y=\"45\" font-family=\"sans-serif\" font-size=\"36\" font-weight=\"600\" "
            + "text-anchor=\"middle\" fill=\"#fff\">\(letter)</text></svg>"
        return Base64.encode(Array(text.utf8))
    }
}
