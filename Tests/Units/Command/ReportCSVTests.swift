import STCommandCore
import STContracts
import Testing

@Suite("A report as a table")
struct ReportCSVTests {
    private let clock = ZonedClock { _ in .seconds(9 * 3_600) }

    private func segment(_ rows: [ReportUsageRow]) -> ReportUsageSegment {
        ReportUsageSegment(
            startWallMs: 1_795_100_400_000,
            endWallMs: 1_795_186_800_000,
            day: "2026-11-20",
            usedMs: 0,
            absentMs: 0,
            unobservedMs: 0,
            shieldedMs: 0,
            pickups: 0,
            idlePickups: 0,
            notifications: 0,
            rows: rows
        )
    }

    private func table(_ segments: [ReportUsageSegment]) -> [String] {
        let reply = ReportUsage.Reply(zone: "Asia/Seoul", segments: segments, isOpen: false)
        return ReportCSV.text(reply, clock).unicodeScalars.split(separator: "\n").map { String($0) }
    }

    @Test("A CSV report has a row for each item and one for the rest, ISO dates and CRLF line endings")
    func rows() {
        var rest = segment([
            ReportUsageRow(
                app: "firefox",
                category: "social",
                site: "x.example",
                member: "teen",
                device: "d1",
                label: "Firefox",
                usedMs: 3_600_250,
                pickups: 2,
                notifications: 5,
                beforeMs: 60_000
            )
        ])
        (rest.restMs, rest.restCount) = (1_000, 3)

        let lines = table([rest, segment([])])

        #expect(lines.count == 3)
        #expect(lines.allSatisfy { $0.hasSuffix("\r") })
        #expect(lines[0] == ReportCSV.columns.joined(separator: ",") + "\r")
        #expect(
            lines[1]
                == "2026-11-20T00:00:00+09:00,2026-11-21T00:00:00+09:00,2026-11-20,"
                + "teen,d1,social,firefox,x.example,Firefox,3600.250,2,5,60\r"
        )
        #expect(lines[2].hasSuffix(",,,,,,(3 more),1,,,\r"))
        let columns = lines.map { line in line.count { $0 == "," } }
        #expect(columns == [12, 12, 12])
    }

    @Test(
        "A CSV cell is quoted if needed, and a formula is written as text",
        arguments: [
            ("=1+1", "\"'=1+1\""), ("+cmd", "\"'+cmd\""), ("-2", "\"'-2\""), ("@SUM(A1)", "\"'@SUM(A1)\""),
            ("\t=1", "\"'\t=1\""), ("＝1", "\"'＝1\""), ("firefox", "firefox"), ("a,b", "\"a,b\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""), ("two\r\nlines", "\"two\r\nlines\""), ("", ""),
            ("=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\""),
        ]
    )
    func formulas(text: String, cell: String) {
        #expect(ReportCSV.cell(text) == cell)
    }

    @Test(
        "Milliseconds are written to CSV as exact seconds without trailing zeros",
        arguments: [(0, "0"), (999, "0.999"), (60_000, "60"), (1_005, "1.005")]
    )
    func seconds(ms: Int, text: String) {
        #expect(ReportCSV.seconds(Int64(ms)) == text)
    }
}
