package import STContracts
import STPlatform

/// A report as a table in the format of RFC 4180, with a row for each segment and item.
package enum ReportCSV {
    package static let columns = [
        "start", "end", "day", "member", "device", "category", "app", "site", "name", "used_seconds",
        "pickups", "notifications", "before_seconds",
    ]

    package static func text(_ reply: ReportUsage.Reply, _ clock: ZonedClock) -> String {
        var lines = [columns.joined(separator: ",")]
        for segment in reply.segments {
            let front = [
                clock.exact(WallTime(ms: segment.startWallMs)), clock.exact(WallTime(ms: segment.endWallMs)),
                segment.day,
            ]
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

    /// Returns a cell with quotes if they are needed.
    ///
    /// Spreadsheets evaluate a text that begins with `=` as a formula, and names of apps and sites come from outside. An
    /// apostrophe at the start makes it a text, as in a spreadsheet.
    package static func cell(_ text: String) -> String {
        let isFormula = text.unicodeScalars.first.map { "=+-@\t\r＝＋－＠".unicodeScalars.contains($0) } ?? false
        let safe = isFormula ? "'" + text : text
        let isQuoted =
            isFormula || safe.unicodeScalars.contains { "\",\r\n".unicodeScalars.contains($0) }
        guard isQuoted else { return safe }
        let parts = safe.split(separator: "\"", omittingEmptySubsequences: false)
        return "\"" + parts.joined(separator: "\"\"") + "\""
    }

    /// Returns seconds. Thousandths are included only if they are not zero, so that sums are exact.
    package static func seconds(_ ms: Int64) -> String {
        let sign = ms < 0 ? "-" : ""
        let size = ms.magnitude
        guard size % 1000 != 0 else { return "\(sign)\(size / 1000)" }
        return "\(sign)\(size / 1000)." + String(size % 1000 + 1000).dropFirst()
    }
}
