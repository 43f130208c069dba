import STContracts
import STPlatform
import STReportCore
import STTestKit
import Testing

@testable import STActivityCore

@Suite("Report of a day of observations")
struct DayReportTests {
    /// Reports three hours of one app from `wallMs`, with an observation every five seconds.
    private func report(from wallMs: Int64, zone: String, day: String, stallMs: Int64 = 0) throws
        -> ReportDay.Reply
    {
        var desk = try LedgerDesk()
        desk.watcher = Watcher(wallMs: wallMs, zone: zone)
        var left = 3 * 3_600_000 / 5_000
        _ = try desk.observe([desk.watcher.sees("editor")])
        while left > 0 {
            let count = min(left, 120)
            if left == 1_200 { desk.watcher.time.advance(byMs: stallMs) }
            _ = try desk.observe((0..<count).map { _ in desk.watcher.sees("editor", afterMs: 5_000) })
            left -= count
        }
        _ = try desk.observe([desk.watcher.sees(nil, .away)])
        let report = try CoreBench(ReportService.definition())
        try report.follow(desk.bench.events)
        return try report.ask(ReportDay.self, .init(day: day))
    }

    @Test("Three hours of usage across a clock change are 10,800 s in the report of that day")
    func daylight() throws {
        // In Berlin, this is 01:30 on 2026-10-25 and 00:30 on 2026-03-29.
        let autumn = try report(from: 1_792_884_600_000, zone: "Europe/Berlin", day: "2026-10-25")
        let spring = try report(from: 1_774_740_600_000, zone: "Europe/Berlin", day: "2026-03-29")

        #expect(autumn.usedMs == 10_800_000)
        #expect(autumn.unobservedMs == 0)
        #expect(autumn.rows == [.init(name: "editor", usedMs: 10_800_000)])
        #expect(spring.usedMs == 10_800_000)
    }

    @Test(
        "A stall of the agent for one minute adds only unobserved time to the report"
    )
    func stall() throws {
        let day = try report(from: 1_790_000_000_000, zone: "UTC", day: "2026-09-21", stallMs: 60_000)

        #expect(day.usedMs == 10_800_000 - 5_000)
        #expect(day.unobservedMs == 65_000)
    }
}
