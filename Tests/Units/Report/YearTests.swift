import Glibc
import STContracts
import STPlatform
import STStore
import STTestKit
import STTestSupport
import Testing

@testable import STReportCore

@Suite("A year of one person")
struct YearTests {
    private static let isSoak = TestScale.isSoak
    /// Changes of focus. A short run has a twentieth of the year.
    private static let changes = isSoak ? 365_000 : 18_250

    @Test("A year of usage needs less than 25 MiB, and its reports have increasing sums")
    func year() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("year.sqlite")
        var random = SeededRandom(seed: 365)
        let builder = try ModelBuilder(path: path)
        let started = Stopwatch.milliseconds()
        var (moment, boot, page, sequence) = (
            ReportDesk.wallMs(2025, month: 11, day: 20), Int64(0), [WireEvent](), Int64(0)
        )
        for number in 1...Self.changes {
            let isIdle = number % 17 == 0
            let app = "org.example.app\(random.number(0...random.number(0...59)))"
            let site =
                random.chance(percent: 25) ? "site\(random.number(0...random.number(0...199))).example" : nil
            let ms: Int64 = isIdle ? random.number(60_000...1_000_000) : random.number(1_000...110_000)
            let row = Segment(
                segment: "agent/run/\(number)",
                agent: "agent",
                run: "run",
                sequence: Int64(number),
                member: "child",
                presence: isIdle ? .idle : .active,
                app: isIdle ? nil : app,
                domain: isIdle ? nil : site,
                bootId: "boot\(number / 1_000)",
                startBootMs: boot,
                endBootMs: boot + ms,
                startWallMs: moment,
                zone: "Asia/Seoul",
                category: isIdle ? nil : "other"
            )
            boot += ms
            moment += ms
            sequence += 1
            page.append(
                try CoreBench<ReportState>.event(
                    SegmentClosed.self,
                    sequence: sequence,
                    subject: row.segment,
                    body: row
                )
            )
            if page.count == 500 || number == Self.changes {
                try builder.apply(page)
                page = []
            }
        }
        try builder.finish(StreamPoint(stream: "usage", epoch: "epoch", sequence: sequence, id: nil))
        let tookMs = Stopwatch.milliseconds() - started
        try builder.close()
        var info = stat()
        stat(path, &info)
        print("year: \(Self.changes) rows added up in \(tookMs) ms, \(info.st_size / 1024) KiB")
        #expect(info.st_size < 25 << 20)
        try ask(scratch, path, until: moment)
    }

    private func ask(_ scratch: ScratchDirectory, _ path: String, until moment: Int64) throws {
        let bench = try CoreBench(ReportService.definition(), scratch: scratch)
        // Copies the tables like a takeover.
        try bench.database.run("ATTACH ? AS year", [.text(path)])
        try bench.database.transaction {
            for table in UsageTables.all {
                try bench.database.run("INSERT INTO main.\(table) SELECT * FROM year.\(table)")
            }
        }
        try bench.database.run("DETACH year")
        let full = try bench.reopened()
        var usedMs: [Int64] = []
        for days in [1, 7, 30, 365] as [Int64] {
            var took: [Int64] = []
            var reply: ReportUsage.Reply?
            for _ in 0..<20 {
                let start = Stopwatch.nanoseconds()
                reply = try full.ask(
                    ReportUsage.self,
                    .init(
                        fromWallMs: moment - days * 86_400_000,
                        toWallMs: moment,
                        segment: .whole,
                        by: [.app],
                        zone: "Asia/Seoul"
                    )
                )
                took.append(Stopwatch.nanoseconds() - start)
            }
            print("year: apps of \(days) days in \(took.sorted()[10] / 1000) µs")
            let whole = try #require(reply?.segments.first)
            #expect(whole.rows.count > 10)
            usedMs.append(whole.usedMs)
        }
        #expect(usedMs[0] > 0 && usedMs[0] < usedMs[1] && usedMs[1] < usedMs[2])
    }
}
