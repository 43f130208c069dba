package import STContracts

/// A report as RFC 4180 has tables: a row for each segment and thing, for spreadsheets and programs.
package enum ReportCSV {
    package static let columns = [
        "start", "end", "day", "member", "device", "category", "app", "site", "name", "used_seconds",
        "pickups", "notifications", "before_seconds",
    ]

    package static func text(_ reply: ReportUsage.Reply, _ clock: ZonedClock) -> String {
        var lines = [columns.joined(separator: ",")]
        for segment in reply.segments {
            let front = [clock.exact(segment.startWallMs), clock.exact(segment.endWallMs), segment.day]
            for row in segment.rows {
                let things = [row.member, row.device, row.category, row.app, row.site, row.label]
                lines.append(
                    line(
                        front + things.map { $0 ?? "" },
                        [
                            seconds(row.usedMs), String(row.pickups), String(row.notifications),
                            row.beforeMs.map(seconds) ?? "",
                        ]
                    )
                )
            }
            if let rest = segment.restMs, let count = segment.restCount, count > 0 {
                lines.append(
                    line(front + ["", "", "", "", "", "(\(count) more)"], [seconds(rest), "", "", ""])
                )
            }
        }
        return lines.map { $0 + "\r\n" }.joined()
    }

    private static func line(_ texts: [String], _ numbers: [String]) -> String {
        (texts.map(cell) + numbers).joined(separator: ",")
    }

    /// Quoted where it must be.
    ///
    /// A spreadsheet would take a text that begins with `=` for a formula, and names of apps and sites come from
    /// anywhere: the apostrophe makes it a text, as people write it there themselves.
    package static func cell(_ text: String) -> String {
        let isFormula = text.unicodeScalars.first.map { "=+-@\t\r＝＋－＠".unicodeScalars.contains($0) } ?? false
        let safe = isFormula ? "'" + text : text
        let isQuoted =
            isFormula || safe.unicodeScalars.contains { "\",\r\n".unicodeScalars.contains($0) }
        guard isQuoted else { return safe }
        let parts = safe.split(separator: "\"", omittingEmptySubsequences: false)
        return "\"" + parts.joined(separator: "\"\"") + "\""
    }

    /// Thousandths only where there are some, so that sums stay exact.
    package static func seconds(_ ms: Int64) -> String {
        let sign = ms < 0 ? "-" : ""
        let size = ms.magnitude
        guard size % 1000 != 0 else { return "\(sign)\(size / 1000)" }
        return "\(sign)\(size / 1000)." + String(size % 1000 + 1000).dropFirst()
    }
}
