import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STReportCore

@Suite("Usage reports")
struct UsageReportTests {
    private var desk: ReportDesk
    private static let hourMs: Int64 = 3_600_000

    init() throws { desk = try ReportDesk() }

    /// A time in Seoul, by default on 2026-11-20.
    private static func seoul(_ hour: Int, _ minute: Int = 0, day: Int = 20) -> Int64 {
        ReportDesk.wallMs(2026, month: 11, day: day, hour: hour - 9, minute: minute)
    }

    @Test("A report by hours contains all hours of the day, including unused ones")
    mutating func hours() throws {
        try desk.close(ReportDesk.segment(1, atWallMs: Self.seoul(9, 50), minutes: 20))
        let segments = try desk.usage(segment: .hour).segments

        #expect(segments.count == 24)
        #expect(segments.map(\.usedMs).enumerated().filter { $0.element > 0 }.map(\.offset) == [9, 10])
        #expect(segments[9].usedMs == 600_000)
        #expect(
            segments.allSatisfy { $0.endWallMs - $0.startWallMs == Self.hourMs && $0.day == "2026-11-20" }
        )
    }

    @Test("A report of part of a month leaves out apps that were only used on its other days")
    mutating func mostOfAMonth() throws {
        for day in 1...30 {
            let app = day == 2 ? "once" : "editor"
            try desk.close(
                ReportDesk.segment(day, app: app, atWallMs: Self.seoul(10, day: day), minutes: Int64(day))
            )
        }
        for (from, through, expected) in [
            ("2026-11-03", "2026-11-30", ["editor": 462]),
            ("2026-11-01", "2026-11-30", ["editor": 463, "once": 2]),
            ("2026-11-02", "2026-11-04", ["editor": 7, "once": 2]),
            ("2026-10-20", "2026-11-29", ["editor": 433, "once": 2]),
        ] as [(String, String, [String: Int64])] {
            let rows = try desk.usage(from: from, through: through, segment: .whole, by: [.app]).segments[0]
                .rows
            let minutes = Dictionary(uniqueKeysWithValues: rows.map { ($0.app ?? "", $0.usedMs / 60_000) })
            #expect(minutes == expected, "\(from) to \(through)")
        }
    }

    @Test("Days with a clock change have 23 or 25 hours in a report")
    func daylight() throws {
        func hours(_ day: String) throws -> Int {
            try desk.usage(from: day, segment: .hour, zone: "Europe/Berlin").segments.count
        }
        #expect(try hours("2026-03-29") == 23)
        #expect(try hours("2026-10-25") == 25)
        let days = try desk.usage(
            from: "2026-10-24",
            through: "2026-10-26",
            segment: .day,
            zone: "Europe/Berlin"
        )
        #expect(days.segments.map { ($0.endWallMs - $0.startWallMs) / Self.hourMs } == [24, 25, 24])
    }

    @Test("A report by site contains registered domains, and a filtered site contains its hosts")
    mutating func sites() throws {
        let hosts = [
            "old.reddit.com", "reddit.com", "news.example.co.uk", "xn--bcher-kva.de", "127.0.0.1",
            "localhost", "co.uk",
        ]
        for (index, host) in hosts.enumerated() {
            try desk.close(ReportDesk.segment(index + 1, app: "browser", domain: host, minutes: 10))
        }
        let all = try desk.usage(by: [.site]).segments[0].rows
        #expect(
            Set(all.map { "\($0.site ?? "") \($0.usedMs / 60_000)" }) == [
                "reddit.com 20", "example.co.uk 10", "xn--bcher-kva.de 10", "127.0.0.1 10", "localhost 10",
                "co.uk 10",
            ]
        )
        let one = try desk.usage(by: [.site], change: { $0.sites = ["reddit.com"] }).segments[0].rows
        #expect(Set(one.map(\.site)) == ["old.reddit.com", "reddit.com"])
    }

    @Test("A report has half hours in a zone whose clocks change by half an hour")
    mutating func halfHours() throws {
        let lord = "Australia/Lord_Howe"
        // On 2026-04-05 at 2:00, the clock changed to 1:30.
        try desk.close(
            ReportDesk.segment(
                1,
                atWallMs: ReportDesk.start(of: "2026-04-05", lord),
                minutes: 4 * 60,
                zone: lord
            )
        )
        let hours = try desk.usage(from: "2026-04-05", segment: .hour, zone: lord).segments
        #expect(hours.count == 25)
        #expect(hours.prefix(5).map { $0.usedMs / 60_000 } == [60, 60, 30, 60, 30])
        let day = try desk.usage(from: "2026-04-05", segment: .day, zone: lord).segments
        #expect(day.map { ($0.endWallMs - $0.startWallMs) / 60_000 } == [24 * 60 + 30])
        #expect(day.map { $0.usedMs / 60_000 } == [240])
    }

    @Test("A report keeps the local days of a journey beside those of the requested zone")
    mutating func journey() throws {
        // 20:00 on the 19th in New York is 10:00 on the 20th in Seoul.
        try desk.close(
            ReportDesk.segment(
                1,
                atWallMs: ReportDesk.wallMs(2026, month: 11, day: 20, hour: 1),
                minutes: 30,
                zone: "America/New_York"
            )
        )
        let days = try desk.usage(segment: .day).segments
        #expect(days.map(\.day) == ["2026-11-19", "2026-11-20"])
        #expect(days.map { $0.usedMs / 60_000 } == [30, 0])
        #expect(try desk.usage().segments.map { $0.usedMs / 60_000 } == [30])
    }

    @Test("Weeks begin with the requested weekday", arguments: [(1, 3), (2, 2), (7, 2)])
    mutating func weeks(weekday: Int, count: Int) throws {
        // 2026-11-09 is a Monday, and 2026-11-22 a Sunday.
        try desk.close(ReportDesk.segment(1, atWallMs: Self.seoul(12, day: 22), minutes: 10))
        let weeks = try desk.usage(from: "2026-11-09", through: "2026-11-22", segment: .week) {
            $0.weekday = weekday
        }.segments
        #expect(weeks.count == (weekday == 7 ? 3 : count))
        #expect(weeks.last?.usedMs == 600_000)
        #expect(weeks.map(\.usedMs).reduce(0, +) == 600_000)
    }

    @Test("A report counts pickups with the first app, idle pickups and the longest activity")
    mutating func pickups() throws {
        var number = 0
        func add(_ presence: Presence, _ app: String?, _ minute: Int, _ minutes: Int64, shielded: Bool? = nil)
            throws
        {
            number += 1
            var row = ReportDesk.segment(
                number,
                app: app,
                presence: presence,
                atWallMs: Self.seoul(10, minute),
                minutes: minutes
            )
            row.shielded = shielded
            try desk.close(row)
        }
        try add(.active, nil, 0, 1)
        try add(.active, "mail", 1, 4)
        try add(.idle, nil, 5, 5)
        try add(.active, nil, 10, 2)
        try add(.locked, nil, 12, 8)
        try add(.active, "game", 20, 1, shielded: true)
        try add(.away, nil, 21, 9)
        try add(.unobserved, nil, 30, 5)
        try add(.active, "mail", 35, 10)
        let reply = try desk.usage(by: [.app])
        let segment = try #require(reply.segments.first)

        #expect(segment.pickups == 3)
        #expect(segment.idlePickups == 2)
        #expect(segment.firstPickupWallMs == Self.seoul(10))
        #expect(segment.longestStartWallMs == Self.seoul(10, 35))
        #expect(segment.longestEndWallMs == Self.seoul(10, 45))
        #expect(segment.shieldedMs == 60_000)
        #expect(
            segment.rows.map { "\($0.app ?? "-") \($0.usedMs / 60_000) \($0.pickups)" } == [
                "mail 14 1", "- 3 0",
            ]
        )
    }

    @Test("The longest activity ends at midnight")
    mutating func longest() throws {
        try desk.close(ReportDesk.segment(1, atWallMs: Self.seoul(23), minutes: 180))
        let days = try desk.usage(from: "2026-11-20", through: "2026-11-21", segment: .day).segments
        #expect(
            days.map { (($0.longestEndWallMs ?? 0) - ($0.longestStartWallMs ?? 0)) / 60_000 } == [60, 120]
        )
        #expect(days.map(\.pickups) == [1, 0])
    }

    @Test("Notifications are counted by app in the hour of their arrival")
    mutating func notifications() throws {
        try desk.close(ReportDesk.segment(1, app: "mail", atWallMs: Self.seoul(10), minutes: 30))
        for (app, hour, count) in [("mail", 10, 3), ("chat", 11, 2), ("mail", 12, 1)]
            as [(String, Int, Int64)]
        {
            try desk.notify(
                NotificationCount(
                    member: "child",
                    app: app,
                    count: count,
                    wallMs: Self.seoul(hour, 5),
                    zone: "Asia/Seoul"
                )
            )
        }
        #expect(try desk.usage(segment: .hour).segments[10...12].map(\.notifications) == [3, 2, 1])
        let rows = try desk.usage(by: [.app]).segments[0].rows
        #expect(
            rows.map { "\($0.app ?? "-") \($0.usedMs / 60_000) \($0.notifications)" } == [
                "mail 30 4", "chat 0 2",
            ]
        )
        let chosen = try desk.usage { $0.apps = ["chat"] }.segments[0]
        #expect(chosen.usedMs == 0)
        #expect(chosen.notifications == 2)
    }

    @Test("A report can contain the most used apps and the sum of the others")
    mutating func top() throws {
        for (index, minutes) in ([5, 40, 30, 10] as [Int64]).enumerated() {
            try desk.close(
                ReportDesk.segment(index, app: "app\(index)", atWallMs: Self.seoul(index), minutes: minutes)
            )
        }
        let segment = try desk.usage(by: [.app]) { $0.top = 2 }.segments[0]
        #expect(segment.rows.map(\.app) == ["app1", "app2"])
        #expect(segment.restMs == 900_000)
        #expect(segment.restCount == 2)
    }

    @Test(
        "A report compares with the previous days, and an incomplete day with the same part of the previous one"
    )
    mutating func compares() throws {
        try desk.close(ReportDesk.segment(1, app: "mail", atWallMs: Self.seoul(9, day: 19), minutes: 20))
        try desk.close(ReportDesk.segment(2, app: "game", atWallMs: Self.seoul(20, day: 19), minutes: 60))
        try desk.close(ReportDesk.segment(3, app: "mail", atWallMs: Self.seoul(9), minutes: 30))
        let whole = try desk.usage(by: [.app]) { $0.compares = true }.segments[0]
        #expect(whole.beforeMs == 4_800_000)
        #expect(whole.rows.map(\.beforeMs) == [1_200_000])
        let sofar = try desk.usage(segment: .day) {
            $0.compares = true
            $0.toWallMs = Self.seoul(12)
        }.segments[0]
        #expect(sofar.beforeMs == 1_200_000)
        let hours = try desk.usage(segment: .hour) { $0.compares = true }.segments
        #expect(hours.enumerated().filter { $0.element.beforeMs != 0 }.map(\.offset) == [9, 20])
    }

    @Test("A report can be filtered and grouped by members, devices, apps, categories and sites")
    mutating func filters() throws {
        var rows = [
            ReportDesk.segment(
                1,
                app: "browser",
                domain: "www.a.example",
                atWallMs: Self.seoul(9),
                minutes: 10
            ),
            ReportDesk.segment(2, app: "game", atWallMs: Self.seoul(10), minutes: 20),
            ReportDesk.segment(3, app: "game", member: "guardian", atWallMs: Self.seoul(10), minutes: 40),
            ReportDesk.segment(4, app: "chat", atWallMs: Self.seoul(11), minutes: 5),
        ]
        rows[1].category = "games"
        rows[3].device = "phone"
        for row in rows { try desk.close(row) }
        func minutes(_ change: (inout ReportUsage.Request) -> Void) throws -> Int64 {
            try desk.usage(change: change).segments[0].usedMs / 60_000
        }
        #expect(try minutes { _ in } == 75)
        #expect(try minutes { $0.members = ["child"] } == 35)
        #expect(try minutes { $0.devices = ["this"] } == 70)
        #expect(try minutes { $0.devices = ["phone"] } == 5)
        #expect(try minutes { $0.apps = ["Game.desktop"] } == 60)
        // Without a category in the ledger, the known category applies.
        #expect(try minutes { $0.categories = ["games"] } == 60)
        #expect(try minutes { $0.sites = ["a.example"] } == 10)
        #expect(try minutes { ($0.sites, $0.apps) = (["a.example"], ["chat"]) } == 15)
        let by = try desk.usage(by: [.member, .device]).segments[0].rows
        #expect(
            by.map { "\($0.member ?? "") \($0.device ?? "") \($0.usedMs / 60_000)" } == [
                "guardian this 40", "child this 30", "child phone 5",
            ]
        )
    }
}
