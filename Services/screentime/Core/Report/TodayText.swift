package import STContracts
import STPlatform

/// The few lines of `screentime` alone.
package enum TodayText {
    private static let rowsMax = 5

    package static func lines(
        _ report: ReportUsage.Reply,
        now: [Segment],
        rules: [String] = [],
        sight: SystemView.Sight,
        isDemo: Bool,
        _ terminal: Terminal
    ) -> [String] {
        let totals = ReportTotals(report.segments)
        let day = report.segments.first?.day ?? ""
        let title = "\(LocalTime.day(day)): \(TextFormat.duration(ms: totals.usedMs)) so far"
        var lines: [String] = []
        if sight.isBlind {
            lines += TextWrap.lines(sight.text, terminal).map { terminal.styled($0, .yellow) }
        }
        lines.append(Banner.titled(title, isDemo: isDemo, terminal))
        lines.append("")
        lines += rows(report, terminal)
        lines.append("")
        if !rules.isEmpty { lines += rules + [""] }
        lines += now.map(present)
        lines += remarks(totals, since: report.since).flatMap { TextWrap.lines($0, terminal) }
        return lines
    }

    /// How many rows to ask for.
    package static let top = Int64(rowsMax)

    /// The bars, and a line for what is left out.
    private static func rows(_ report: ReportUsage.Reply, _ terminal: Terminal) -> [String] {
        let parts = ReportParts.of(report.segments, by: .app).filter { $0.usedMs > 0 }
        guard !parts.isEmpty else { return ["  No use was seen."] }
        let names = ReportNames(.english, nil)
        let shown = parts.prefix(rowsMax).map {
            BarChart.Row(name: names.name($0, .app), valueMs: $0.usedMs)
        }
        var lines = BarChart(rows: shown).lines(columns: terminal.columns, terminal)
        let rest = parts.dropFirst(rowsMax)
        let count = Int64(rest.count) + report.segments.reduce(0) { $0 + ($1.restCount ?? 0) }
        let ms = rest.reduce(0) { $0 + $1.usedMs } + report.segments.reduce(0) { $0 + ($1.restMs ?? 0) }
        if count > 0 { lines.append("  and \(count) more with \(TextFormat.duration(ms: ms)) together") }
        return lines
    }

    private static func remarks(_ totals: ReportTotals, since: String?) -> [String] {
        var lines: [String] = []
        if totals.absentMs > 0 {
            lines.append("Nobody was at the computer for \(TextFormat.duration(ms: totals.absentMs)).")
        }
        if totals.shieldedMs > 0 {
            let text = TextFormat.duration(ms: totals.shieldedMs)
            lines.append("In front of a shield: \(text). That is not counted as use.")
        }
        if totals.unobservedMs > 0 {
            let text = TextFormat.duration(ms: totals.unobservedMs)
            lines.append("Not seen: \(text). That is not counted as use, and not as absence.")
        }
        lines.append(
            since.map { "Observed since \(LocalTime.text(wire: $0))." }
                ?? "Nothing has ever been observed on this computer."
        )
        return lines
    }

    private static func present(_ segment: Segment) -> String {
        let member = DisplayWidth.harmless(segment.member)
        switch segment.presence {
        case .active:
            let app =
                segment.app.map { app in segment.domain.map { "\($0) in \(app)" } ?? app } ?? "the desktop"
            return "Now: \(member) is at \(DisplayWidth.harmless(app))."
        case .idle: return "Now: \(member) has stepped away."
        case .locked: return "Now: \(member)'s screen is locked."
        case .away, .suspended: return "Now: \(member) is not there."
        case .unobserved, .unknown: return "Now: nobody sees what \(member) does."
        }
    }
}
