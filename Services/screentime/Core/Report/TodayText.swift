package import STContracts
import STPlatform

/// The few lines of `screentime` alone.
package enum TodayText {
    private static let rowsMax = 5

    package static func lines(
        _ report: ReportDay.Reply,
        now: [Segment],
        rules: [String] = [],
        sight: SystemView.Sight,
        isDemo: Bool,
        _ terminal: Terminal
    ) -> [String] {
        let title = "\(LocalTime.day(report.day)): \(TextFormat.duration(ms: report.usedMs)) so far"
        var lines = [Banner.titled(title, isDemo: isDemo, terminal)]
        if sight.isBlind {
            lines += TextWrap.lines(sight.text, terminal).map { terminal.styled($0, .yellow) }
        }
        lines.append("")
        lines += ReportText.rows(report, limit: rowsMax, terminal)
        lines.append("")
        if !rules.isEmpty { lines += rules + [""] }
        lines += now.map(present)
        lines += ReportText.remarks(report).dropFirst().flatMap { TextWrap.lines($0, terminal) }
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
