package import STContracts
import STPlatform

/// The screen of `report`: bars, the total, and what was not seen.
package enum ReportText {
    /// More rows than anyone reads on one screen; `--json` has them all.
    private static let rowsMax = 40

    package static func lines(
        _ report: ReportDay.Reply,
        member: String? = nil,
        by grouping: ReportGrouping = .app,
        isDemo: Bool,
        _ terminal: Terminal
    ) -> [String] {
        let who = member.map { " by " + DisplayWidth.harmless($0) } ?? ""
        let title = "Use\(who) on \(LocalTime.day(report.day)) (\(report.zone)), per \(grouping.rawValue)"
        var lines = [Banner.titled(title, isDemo: isDemo, terminal), ""]
        lines += rows(report, limit: rowsMax, terminal)
        lines.append("")
        lines += remarks(report).flatMap { TextWrap.lines($0, terminal) }
        return lines
    }

    /// The bars, and a line for what is left out.
    static func rows(_ report: ReportDay.Reply, limit: Int, _ terminal: Terminal) -> [String] {
        guard !report.rows.isEmpty else { return ["  No use was seen."] }
        let shown = report.rows.prefix(limit).map {
            BarChart.Row(name: $0.name.isEmpty ? "(no name)" : $0.name, valueMs: $0.usedMs)
        }
        var lines = BarChart(rows: shown).lines(columns: terminal.columns, terminal)
        let rest = report.rows.dropFirst(limit)
        if !rest.isEmpty {
            let sum = rest.reduce(0) { $0 + $1.usedMs }
            lines.append("  and \(rest.count) more with \(TextFormat.duration(ms: sum)) together")
        }
        return lines
    }

    package static func remarks(_ report: ReportDay.Reply) -> [String] {
        var lines = ["Used: \(TextFormat.duration(ms: report.usedMs))."]
        if report.absentMs > 0 {
            lines.append("Nobody was at the computer for \(TextFormat.duration(ms: report.absentMs)).")
        }
        if let ms = report.shieldedMs, ms > 0 {
            lines.append("In front of a shield: \(TextFormat.duration(ms: ms)). That is not counted as use.")
        }
        if report.unobservedMs > 0 {
            lines.append(
                "Not seen: \(TextFormat.duration(ms: report.unobservedMs)). That is not counted as use, and not as absence."
            )
        }
        lines.append(
            report.since.map { "Observed since \(LocalTime.text(wire: $0))." }
                ?? "Nothing has ever been observed on this computer."
        )
        return lines
    }
}
