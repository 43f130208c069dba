import STContracts
import STPlatform
import STReportCore
import STTestKit
import Testing

@testable import STActivityCore

@Suite("From observations to the report of a day")
struct DayReportTests {
    /// Three hours in front of one app, a beat every five seconds, from 01:30 on the day given.
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

    @Test("three hours over the end of summer time are 10,800 s of that day, and over its beginning too")
    func daylight() throws {
        // 2026-10-25 01:30 and 2026-03-29 00:30 in Berlin.
        let autumn = try report(from: 1_792_884_600_000, zone: "Europe/Berlin", day: "2026-10-25")
        let spring = try report(from: 1_774_740_600_000, zone: "Europe/Berlin", day: "2026-03-29")

        #expect(autumn.usedMs == 10_800_000)
        #expect(autumn.unobservedMs == 0)
        #expect(autumn.rows == [.init(name: "editor", usedMs: 10_800_000)])
        #expect(spring.usedMs == 10_800_000)
    }

    @Test(
        "an agent that the scheduler held up for a minute has that minute unobserved, and nothing else wrong"
    )
    func stall() throws {
        let day = try report(from: 1_790_000_000_000, zone: "UTC", day: "2026-09-21", stallMs: 60_000)

        #expect(day.usedMs == 10_800_000 - 5_000)
        #expect(day.unobservedMs == 65_000)
    }
}
