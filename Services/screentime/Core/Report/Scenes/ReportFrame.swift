package import STContracts
import STPlatform

/// The frame of every built-in report: notices about unobserved time, the title, and remarks about time that was not counted.
struct ReportFrame {
    let template: ReportTemplate
    let input: ReportInput

    private var strings: ReportStrings { input.strings }

    func page(_ body: (inout PageComposer) -> Void) -> Page {
        var writer = PageComposer()
        writer.vertical(20) { page in
            for text in input.source.conditions.compactMap(strings.notice) { notice(text, &page) }
            head(&page)
            if input.isEmpty {
                page.text(strings.nothing)
            } else {
                body(&page)
            }
            page.vertical(4) { foot in
                for remark in remarks {
                    foot.text(remark, size: 13, color: ReportColors.secondary)
                }
            }
        }
        return Page(
            title: "\(title) – \(periodText)",
            language: input.language.code,
            zone: input.usage.zone,
            controls: [],
            variants: [PageVariant(chosen: [], nodes: writer.nodes)]
        )
    }

    private func notice(_ text: String, _ page: inout PageComposer) {
        let edges = PageEdges(top: 10, leading: 12, bottom: 10, trailing: 12)
        let ground = PagePaint(kind: .color, color: ReportColors.warningGround)
        page.boxed(PageBox(padding: edges, background: ground, radius: 8)) {
            $0.text(text, size: 15, color: ReportColors.warning)
        }
    }

    private func head(_ page: inout PageComposer) {
        page.vertical(4) { head in
            head.text(title, size: 15, weight: 600, color: ReportColors.secondary, heading: 1)
            if input.source.isDemo {
                head.text(strings.demo, size: 13, weight: 600, color: ReportColors.demo)
            }
            head.text(periodText, size: 22, weight: 700)
            if let memberText { head.text(memberText, size: 15, color: ReportColors.secondary) }
        }
    }

    private var title: String { strings.title(template, input.key, days: input.period.days) }

    /// The period, for example `Friday, 20 November 2026`, with times if it is not whole days.
    var periodText: String {
        let (period, clock) = (input.period, input.clock)
        if period.isWholeDays(clock) { return input.dates.range(period.firstDay, period.lastDay) }
        let from = "\(input.dates.date(period.firstDay)) \(clock.time(period.from))"
        let end = clock.day(period.to)
        let day = end == period.firstDay ? "" : input.dates.date(end) + " "
        return "\(from) – \(day)\(clock.time(period.to))"
    }

    /// The person and the device. `nil` if there is only one person and one computer.
    private var memberText: String? {
        let who = input.member ?? (isOfSeveral ? strings.everyone : nil)
        let device = input.device.map { input.names.device($0) }
        let parts = [who, device].compactMap { $0 }.map(DisplayWidth.sanitized)
        return parts.isEmpty ? nil : parts.joined(separator: " · ")
    }

    private var isOfSeveral: Bool {
        input.member == nil && (input.source.coverage?.members ?? []).count > 1
    }

    private var remarks: [String] {
        let totals = input.totals
        var lines: [String] = []
        // The absence of several people is a sum, during which other people may have been present.
        if totals.absent > .zero, !isOfSeveral { lines.append(strings.absent(totals.absent)) }
        lines += strings.unseen(
            totals.unobserved,
            shielded: totals.shielded,
            isBlind: input.period.contains(input.now) && input.source.unobserved != nil
        )
        var last = [strings.since(moment(input.usage.since))]
        if input.period.contains(input.now), let updated = moment(input.usage.updatedAt), !input.isEmpty {
            last.append(strings.known(updated, isOpen: input.usage.isOpen))
        }
        lines.append(last.joined(separator: " "))
        if input.isEmpty { lines.append(strings.blindSpots) }
        return lines
    }

    /// Returns `20 November 2026, 04:44` for a moment in the format of the wire.
    private func moment(_ wire: String?) -> String? {
        guard let found = wire.flatMap(RFC3339.wallMs).map(WallTime.init) else {
            return wire.map(DisplayWidth.sanitized)
        }
        let day = input.clock.day(found)
        let time = input.clock.time(found)
        if day == input.clock.day(input.now) { return strings.say("report.today", "\(time, "time") today") }
        return strings.say("report.date-time", "\(input.dates.date(day), "date"), \(time, "time")")
    }
}

/// Builds a page. Each container is stored with the number of its children.
package struct PageComposer {
    package private(set) var nodes: [PageNode] = []
    private var children = 0

    package init() {}

    package mutating func add(_ node: PageNode) {
        nodes.append(node)
        children += 1
    }

    package mutating func inside(_ node: PageNode, _ body: (inout PageComposer) -> Void) {
        var inner = PageComposer()
        body(&inner)
        var node = node
        node.count = inner.children
        add(node)
        nodes += inner.nodes
    }

    mutating func vertical(
        _ spacing: Double = 8,
        align: PageAlign = .leading,
        body: (inout PageComposer) -> Void
    ) {
        inside(PageNode(kind: .vertical, align: align, spacing: spacing), body)
    }

    mutating func horizontal(
        _ spacing: Double = 8,
        align: PageAlign = .center,
        body: (inout PageComposer) -> Void
    ) {
        inside(PageNode(kind: .horizontal, align: align, spacing: spacing), body)
    }

    mutating func boxed(_ box: PageBox, _ body: (inout PageComposer) -> Void) {
        inside(PageNode(kind: .box, box: box), body)
    }

    mutating func text(
        _ text: String,
        size: Double = 17,
        weight: Int? = nil,
        color: PageColor? = nil,
        heading: Int? = nil,
        align: PageAlign? = nil
    ) {
        let run = PageRun(text: text, font: PageFont(size: size, weight: weight), color: color)
        add(PageNode(kind: .text, runs: [run], align: align, heading: heading))
    }

    mutating func chart(_ chart: PageChart, height: Double, width: Double? = nil) {
        let frame = PageFrame(width: width, height: height, fillsWidth: width == nil ? true : nil)
        boxed(PageBox(frame: frame)) { $0.add(PageNode(kind: .chart, chart: chart)) }
    }
}
