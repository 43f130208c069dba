import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STReportCore

@Suite("Reports of a day")
struct ReportTests {
    private var desk: ReportDesk

    init() throws { desk = try ReportDesk() }

    @Test("A report of a day without data is empty and has no start of records")
    func empty() throws {
        let reply = try desk.day()

        #expect(reply.day == "2026-11-20")
        #expect(reply.zone == "Asia/Seoul")
        #expect(reply.usedMs + reply.absentMs + reply.unobservedMs == 0)
        #expect(reply.rows.isEmpty)
        #expect(reply.since == nil)
    }

    @Test("A report of a day separates usage, absence and unobserved time")
    mutating func kinds() throws {
        try desk.close(ReportDesk.segment(1, minutes: 10))
        for (index, presence) in [Presence.idle, .locked, .away, .suspended].enumerated() {
            try desk.close(ReportDesk.segment(2 + index, app: nil, presence: presence, minutes: 5))
        }
        try desk.close(ReportDesk.segment(8, app: nil, presence: .unobserved, minutes: 3))
        let reply = try desk.day()

        #expect(reply.usedMs == 600_000)
        #expect(reply.absentMs == 1_200_000)
        #expect(reply.unobservedMs == 180_000)
        #expect(reply.rows == [.init(name: "editor", usedMs: 600_000)])
    }

    @Test("The rows of a day are grouped by app, site or member, and sorted by usage and then by name")
    mutating func grouping() throws {
        try desk.close(ReportDesk.segment(1, app: "browser", domain: "b.example", minutes: 10))
        try desk.close(ReportDesk.segment(2, app: "browser", domain: "a.example", minutes: 10))
        try desk.close(ReportDesk.segment(3, app: "editor", member: "guardian", minutes: 30))
        try desk.close(ReportDesk.segment(4, app: nil, minutes: 1))

        #expect(try desk.rows() == ["editor 30", "browser 20", "(desktop) 1"])
        #expect(try desk.rows(by: .app) == desk.rows())
        #expect(try desk.rows(by: .site) == ["a.example 10", "b.example 10"])
        #expect(try desk.rows(by: .member) == ["guardian 30", "child 21"])
        #expect(try desk.day(by: .site).usedMs == 51 * 60_000)
    }

    @Test("A report of one member contains no usage of others")
    mutating func member() throws {
        try desk.close(ReportDesk.segment(1, minutes: 10))
        try desk.close(ReportDesk.segment(2, member: "guardian", minutes: 30))
        try desk.open(ReportDesk.segment(3, member: "guardian", minutes: 5))

        #expect(try desk.rows(member: "child") == ["editor 10"])
        #expect(try desk.day(member: "guardian").usedMs == 35 * 60_000)
        #expect(try desk.day(member: "lee").usedMs == 0)
    }

    @Test("A day ends at midnight in the zone of its usage, in whatever zone it is read")
    mutating func midnight() throws {
        // One hour from 23:30 in Seoul, and one from 23:30 in Berlin.
        try desk.close(
            ReportDesk.segment(
                1,
                atWallMs: ReportDesk.wallMs(2026, month: 11, day: 20, hour: 14, minute: 30),
                minutes: 60
            )
        )
        try desk.close(
            ReportDesk.segment(
                2,
                app: "mail",
                atWallMs: ReportDesk.wallMs(2026, month: 11, day: 20, hour: 22, minute: 30),
                minutes: 60,
                zone: "Europe/Berlin"
            )
        )
        desk.bench.time.travel(toZone: "America/New_York")

        #expect(try desk.rows("2026-11-20") == ["editor 30", "mail 30"])
        #expect(try desk.rows("2026-11-21") == ["editor 30", "mail 30"])
        #expect(try desk.day("2026-11-22").usedMs == 0)
    }

    @Test("A day has 23 hours in spring and 25 in autumn")
    mutating func daylight() throws {
        let berlin = "Europe/Berlin"
        let spring = ReportDesk.wallMs(2026, month: 3, day: 27, hour: 23)
        let autumn = ReportDesk.wallMs(2026, month: 10, day: 23, hour: 22)
        try desk.close(ReportDesk.segment(1, atWallMs: spring, minutes: 72 * 60, zone: berlin))
        try desk.close(ReportDesk.segment(2, atWallMs: autumn, minutes: 72 * 60, zone: berlin))

        #expect(try desk.rows("2026-03-28") == ["editor \(24 * 60)"])
        #expect(try desk.rows("2026-03-29") == ["editor \(23 * 60)"])
        #expect(try desk.rows("2026-03-30") == ["editor \(24 * 60)"])
        #expect(try desk.rows("2026-03-31") == ["editor 60"])
        #expect(try desk.rows("2026-10-25") == ["editor \(25 * 60)"])
        #expect(try desk.rows("2026-10-26") == ["editor \(23 * 60)"])
    }

    @Test("Current usage counts as far as it is known, and once when it ends")
    mutating func open() throws {
        try desk.open(ReportDesk.segment(1, minutes: 0))
        #expect(try desk.day().usedMs == 0)
        try desk.open(ReportDesk.segment(1, minutes: 5))
        #expect(try desk.rows() == ["editor 5"])
        try desk.close(ReportDesk.segment(1, minutes: 7))
        #expect(try desk.rows() == ["editor 7"])
        try desk.open(ReportDesk.segment(2, app: "mail", minutes: 1))
        #expect(try desk.rows() == ["editor 7", "mail 1"])
    }

    @Test("Current usage is kept when earlier usage is closed later")
    mutating func lateClose() throws {
        try desk.open(ReportDesk.segment(1, minutes: 5))
        try desk.open(ReportDesk.segment(2, app: "mail", minutes: 1))
        try desk.close(ReportDesk.segment(1, minutes: 6))

        #expect(try desk.rows() == ["editor 6", "mail 1"])
    }

    @Test("Current usage is divided at midnight")
    mutating func openOverMidnight() throws {
        try desk.open(
            ReportDesk.segment(
                1,
                atWallMs: ReportDesk.wallMs(2026, month: 11, day: 20, hour: 14, minute: 50),
                minutes: 30
            )
        )

        #expect(try desk.rows("2026-11-20") == ["editor 10"])
        #expect(try desk.rows("2026-11-21") == ["editor 20"])
    }

    @Test("The default report is of today in the current zone")
    mutating func today() throws {
        desk.bench.time.travel(toZone: "America/New_York")

        #expect(try desk.day().day == "2026-11-19")
        #expect(try desk.day().zone == "America/New_York")
    }

    @Test("A report contains the earliest time of its records")
    mutating func since() throws {
        try desk.close(
            ReportDesk.segment(1, atWallMs: ReportDesk.wallMs(2026, month: 11, day: 20), minutes: 1)
        )
        try desk.close(
            ReportDesk.segment(2, atWallMs: ReportDesk.wallMs(2026, month: 11, day: 18), minutes: 1)
        )

        #expect(try desk.day("2020-01-01").since == "2026-11-18T00:00:00.000Z")
    }

    @Test(
        "An invalid day is rejected",
        arguments: ["", "today", "2026-11-31", "2026-1-1", "2026-+1-20", "2026-11-20 ", "20261-1-20"]
    )
    func badDay(day: String) throws {
        let problem = try desk.bench.refusal(ReportDay.self, .init(day: day))

        #expect(problem?.code == "report.bad_day")
        #expect(problem?.field == "/day")
    }

    @Test("An unknown grouping is rejected")
    func badGrouping() throws {
        let problem = try desk.bench.refusal(ReportDay.self, .init(by: .unknown))

        #expect(problem?.code == "body.unknown_value")
        #expect(problem?.field == "/by")
    }

    @Test("A report has one page of rows with the most usage, and the complete sum")
    mutating func manyRows() throws {
        for number in 1...(BusLimits.pageRows + 5) {
            try desk.close(ReportDesk.segment(number, app: "app\(number)", minutes: Int64(number)))
        }
        let reply = try desk.day("2026-11-20")

        #expect(reply.rows.count == BusLimits.pageRows)
        #expect(reply.rows.first?.name == "app\(BusLimits.pageRows + 5)")
        #expect(reply.usedMs >= reply.rows.reduce(0) { $0 + $1.usedMs })
    }
}
