import STContracts
import STDomain
import STPlatform
import STTestKit
import Testing

@testable import STNotifierCore

@Suite("Scheduled notifications")
struct TriggerTests {
    /// Friday 2026-10-23 12:00 in Berlin. The clocks change on Sunday.
    private static let startMs = RFC3339.wallMs("2026-10-23T10:00:00Z") ?? 0

    private func bench(zone: String = "Europe/Berlin") throws -> NotifierBench {
        let bench = try NotifierBench(startMs: Self.startMs, zone: zone)
        try bench.desktop(.ready)
        return bench
    }

    private static func after(_ ms: Int64, repeats: Bool = false) -> NotifyTrigger {
        NotifyTrigger(kind: .interval, afterMs: ms, repeats: repeats)
    }

    private static func at(_ fields: DateFields, repeats: Bool = false) -> NotifyTrigger {
        NotifyTrigger(kind: .calendar, fields: fields, repeats: repeats)
    }

    @Test("A notification with an interval is scheduled until its end and then posted")
    func interval() throws {
        let bench = try bench()
        let number = try bench.post("a", trigger: Self.after(90_000)).number
        #expect(try bench.state("a") == .scheduled)
        #expect(try bench.notice("a")?.dueAt == "2026-10-23T10:01:30.000Z")
        #expect(try bench.next().number == nil)

        try bench.advance(byMs: 89_999)
        #expect(try bench.state("a") == .scheduled)
        try bench.advance(byMs: 1)

        let notice = try #require(try bench.notice("a"))
        #expect(notice.state == .waiting && notice.dueAt == nil)
        #expect(notice.postedAt == "2026-10-23T10:01:30.000Z")
        #expect(notice.number > number, "a reader that goes on from a number sees it when it comes")
        #expect(try bench.told == ["changed a scheduled", "posted a waiting"])
        #expect(try bench.post("a", trigger: Self.after(90_000)).outcome == .replaced, "a timer is set again")
    }

    @Test("An interval does not depend on the wall clock and includes suspended time")
    func intervalAndClock() throws {
        let bench = try bench()
        try bench.post("a", trigger: Self.after(3_600_000))
        bench.time.stepWall(byMs: 7_200_000)
        try bench.tick()
        #expect(try bench.state("a") == .scheduled)
        #expect(try bench.notice("a")?.dueAt == "2026-10-23T13:00:00.000Z", "as the clock shows it now")

        bench.time.suspend(forMs: 3_600_000)
        try bench.tick()
        #expect(try bench.state("a") == .waiting)
    }

    @Test("An interval continues after a restart of the service or of the machine")
    func restarts() throws {
        let bench = try bench()
        try bench.post("a", trigger: Self.after(3_600_000))
        try bench.advance(byMs: 600_000)
        let again = try bench.reopened()
        #expect(try again.next().due.boot == bench.time.now().boot + .seconds(3_000))

        let clock = NoticeTrigger.Clock(
            now: TimeReading(wallMs: Self.startMs + 1_800_000, bootMs: 5_000, monotonicMs: 5_000),
            zone: "UTC",
            bootID: "another start"
        )
        let wall = WallTime(ms: Self.startMs + 3_600_000)
        let due = NoticeDue(wall: wall, boot: BootTime(ms: 3_660_000), bootID: "simulated")
        #expect(!NoticeTrigger.isReached(due, clock))
        let kept = NoticeTrigger.adjusted(Self.after(3_600_000), due: due, clock: clock)
        #expect(kept == NoticeDue(wall: due.wall, boot: BootTime(ms: 1_805_000), bootID: "another start"))
    }

    @Test("A repeating interval posts each time, and once after a suspension")
    func repeating() throws {
        let bench = try bench()
        try bench.post("a", trigger: Self.after(60_000, repeats: true))
        try bench.advance(byMs: 150_000)
        #expect(try bench.told.filter { $0 == "posted a waiting" }.count == 2)

        bench.time.suspend(forMs: 600_000)
        try bench.tick()
        #expect(try bench.told.filter { $0 == "posted a waiting" }.count == 3)
        #expect(
            try bench.next().due.boot == bench.time.now().boot + .seconds(30),
            "in the same step as before"
        )
        #expect(try bench.list().count == 1)
    }

    @Test("A repeating notification updates its earlier one on the screen")
    func repeatingOnScreen() throws {
        let bench = try bench()
        try bench.post("a", trigger: Self.after(60_000, repeats: true))
        try bench.advance(byMs: 60_000)
        try bench.show(screen: 8)
        try bench.press(8, "default")
        #expect(try bench.state("a") == .answered)
        _ = try bench.post("a", trigger: Self.after(60_000, repeats: true))

        try bench.advance(byMs: 60_000)

        let number = try #require(try bench.next().number)
        #expect(try bench.begin(number)?.replaces == 8)
        #expect(try bench.notice("a")?.answer == nil, "it was asked anew")
    }

    @Test("A time of day is posted in the zone of the device, also after a clock change")
    func calendar() throws {
        let bench = try bench()
        try bench.post("a", trigger: Self.at(.init(hour: 17, minute: 30), repeats: true))

        try bench.advance(byMs: 4 * 86_400_000)

        let told = try bench.core.events.filter { $0.header.type == NotificationPosted.type }
            .map { try $0.decoded(NotificationPosted.self).postedAt }
        #expect(
            told == [
                "2026-10-23T15:30:00.000Z", "2026-10-24T15:30:00.000Z", "2026-10-25T16:30:00.000Z",
                "2026-10-26T16:30:00.000Z",
            ]
        )
    }

    @Test("A time of day that occurs twice on a day is posted once")
    func twice() throws {
        let bench = try bench()
        try bench.post("a", trigger: Self.at(.init(hour: 2, minute: 30), repeats: true))

        try bench.advance(byMs: 3 * 86_400_000)

        let told = try bench.core.events.filter { $0.header.type == NotificationPosted.type }
            .map { try $0.decoded(NotificationPosted.self).postedAt }
        #expect(told.prefix(2) == ["2026-10-24T00:30:00.000Z", "2026-10-25T00:30:00.000Z"])
        #expect(told.last == "2026-10-26T01:30:00.000Z")
    }

    @Test("A new zone or a changed clock moves a scheduled time of day, and a skipped time is posted")
    func moved() throws {
        let bench = try bench()
        try bench.post("a", trigger: Self.at(.init(hour: 17), repeats: false))
        #expect(try bench.notice("a")?.dueAt == "2026-10-23T15:00:00.000Z")

        bench.time.travel(toZone: "America/New_York")
        try bench.tick()
        #expect(try bench.notice("a")?.dueAt == "2026-10-23T21:00:00.000Z")

        bench.time.stepWall(byMs: -86_400_000)
        try bench.tick()
        #expect(try bench.notice("a")?.dueAt == "2026-10-22T21:00:00.000Z")

        bench.time.stepWall(byMs: 3 * 86_400_000)
        try bench.tick()
        #expect(try bench.state("a") == .waiting, "what the clock jumped over is not lost")
    }

    @Test("Setting the clock back slightly does not post a notification twice")
    func setBack() throws {
        let bench = try bench()
        try bench.post("a", trigger: Self.at(.init(hour: 13), repeats: true))
        try bench.advance(byMs: 3_600_000)
        #expect(try bench.told.count { $0 == "posted a waiting" } == 1)

        bench.time.stepWall(byMs: -60_000)
        try bench.tick()
        try bench.advance(byMs: 120_000)

        #expect(try bench.told.count { $0 == "posted a waiting" } == 1)
        #expect(try bench.notice("a")?.dueAt == "2026-10-24T11:00:00.000Z")
    }

    @Test("A calendar trigger can have its own zone, weekday, day, month or year")
    func fields() throws {
        let bench = try bench()
        func due(_ fields: DateFields) throws -> String? {
            try bench.post("a", title: "\(fields.listed) \(fields.zone ?? "")", trigger: Self.at(fields))
            return try bench.notice("a")?.dueAt
        }

        #expect(try due(.init(zone: "Asia/Seoul", hour: 8)) == "2026-10-23T23:00:00.000Z")
        #expect(try due(.init(hour: 9, weekday: 2)) == "2026-10-26T08:00:00.000Z")
        #expect(try due(.init(day: 1, hour: 0)) == "2026-10-31T23:00:00.000Z")
        #expect(
            try due(.init(month: 2, day: 29)) == "2027-02-28T23:00:00.000Z",
            "the day after, where there is none"
        )
        #expect(try due(.init(year: 2026, month: 12, day: 24, hour: 18)) == "2026-12-24T17:00:00.000Z")
        #expect(try due(.init(minute: 15)) == "2026-10-23T10:15:00.000Z")
    }

    @Test(
        "An invalid trigger is rejected with its field",
        arguments: [
            (NotifyTrigger(kind: .interval, repeats: false), "/trigger/after_ms"),
            (TriggerTests.after(0), "/trigger/after_ms"), (TriggerTests.after(-1), "/trigger/after_ms"),
            (TriggerTests.after(.max), "/trigger/after_ms"),
            (TriggerTests.after(59_999, repeats: true), "/trigger/after_ms"),
            (
                NotifyTrigger(kind: .interval, afterMs: 1, fields: .init(hour: 1), repeats: false),
                "/trigger/after_ms"
            ),
            (NotifyTrigger(kind: .calendar, repeats: false), "/trigger/fields"),
            (TriggerTests.at(.init()), "/trigger/fields"),
            (TriggerTests.at(.init(hour: 25)), "/trigger/fields/hour"),
            (TriggerTests.at(.init(zone: "Mars/Base", hour: 2)), "/trigger/fields/zone"),
            (TriggerTests.at(.init(hour: 2, second: 3)), "/trigger/fields/minute"),
            (TriggerTests.at(.init(year: 2020, month: 1, day: 1)), "/trigger/fields"),
            (TriggerTests.at(.init(year: 2030, month: 1, day: 1), repeats: true), "/trigger/repeats"),
            (NotifyTrigger(kind: .unknown, repeats: false), "/trigger/kind"),
        ]
    )
    func bad(trigger: NotifyTrigger, field: String) throws {
        let bench = try bench()
        let request = NotifyPost.Request(app: "app", id: "a", title: "t", body: "", trigger: trigger)

        #expect(try bench.core.refusal(NotifyPost.self, request)?.field?.hasPrefix(field) == true)
        #expect(try bench.list().isEmpty)
    }

    @Test("The number of an app's scheduled notifications is limited, and a replacement does not count")
    func many() throws {
        let bench = try bench()
        for number in 0..<NotifyPost.scheduledMax {
            try bench.post("n\(number)", trigger: Self.after(60_000))
        }
        let further = NotifyPost.Request(app: "app", id: "x", title: "t", body: "", trigger: Self.after(1))

        #expect(try bench.core.refusal(NotifyPost.self, further)?.code == "notify.too_many")
        #expect(try bench.post("n0", trigger: Self.after(70_000)).outcome == .replaced)
        #expect(try bench.post("x", app: "other", trigger: Self.after(1)).outcome == .posted)
        #expect(try bench.post("at-once").outcome == .posted)
    }
}
