import STContracts
import STDomain
import STPlatform
import STTestSupport
import Testing

@testable import STActivityCore

@Suite("Plan of a rule's activities")
struct RulePlanTests {
    private func plan(_ spec: RuleSpec) -> [ActivityStart.Request] {
        var spec = spec
        spec.member = "owner"
        return RulePlan.activities(of: Rule(id: "r", spec: spec, added: WallTime(ms: 0)))
    }

    @Test("A limit is a daily activity with one event that counts from midnight, and its warning")
    func limit() throws {
        var spec = RuleDesk.limit(minutes: 90)
        spec.days = [2, 3]
        spec.warnMs = 300_000

        let activity = try #require(plan(spec).first)

        #expect(activity.app == "screentime.rules")
        #expect(activity.activity == "r")
        #expect(activity.mode == .wallClock)
        #expect(activity.schedule.start == DateFields(hour: 0, minute: 0))
        #expect(activity.schedule.end == activity.schedule.start)
        #expect(activity.schedule.repeats)
        #expect(activity.schedule.days == [2, 3])
        #expect(activity.schedule.warning == DateFields(minute: 5))
        #expect(activity.events.map(\.name) == ["used"])
        #expect(activity.events[0].threshold == DateFields(hour: 1, minute: 30))
        #expect(activity.events[0].targets == [ActivityTarget(kind: .application, id: "firefox")])
        #expect(activity.events[0].includesPastActivity)
    }

    @Test(
        "A weekend amount has an activity of its own, on the rule's weekend days only",
        arguments: [(nil, [2, 3, 4, 5, 6], [1, 7]), ([6, 7], [6], [7])] as [([Int]?, [Int], [Int])]
    )
    func weekend(_ days: [Int]?, week: [Int], weekend: [Int]) throws {
        var spec = RuleDesk.limit(minutes: 30)
        (spec.days, spec.weekendMs) = (days, 3_600_000)

        let activities = plan(spec)

        #expect(activities.map(\.activity) == ["r", "r/weekend"])
        #expect(activities.map(\.schedule.days) == [week, weekend])
        #expect(
            activities.map { $0.events.map(\.threshold) } == [
                [DateFields(minute: 30)], [DateFields(hour: 1)],
            ]
        )
    }

    @Test("A limit without targets covers everything")
    func everything() throws {
        let spec = RuleSpec(kind: .limit, durationMs: 3_600_000)

        #expect(try #require(plan(spec).first?.events.first).targets.isEmpty)
    }

    @Test(
        "A duration of any length becomes a threshold of the same length",
        arguments: [1, 59, 60, 61, 3_600, 3_661, 86_399, 86_400]
    )
    func thresholds(seconds: Int64) throws {
        var spec = RuleDesk.limit()
        spec.durationMs = seconds * 1000

        #expect(try plan(spec)[0].events[0].threshold.thresholdMs() == seconds * 1000)
    }

    @Test("A downtime is an activity with its own schedule and no event")
    func downtime() throws {
        let activity = try #require(plan(RuleDesk.downtime()).first)

        #expect(activity.schedule.start == DateFields(hour: 21, minute: 30))
        #expect(activity.schedule.end == DateFields(hour: 7, minute: 0))
        #expect(activity.events.isEmpty)
    }

    @Test("An always-allowed app needs no activity")
    func allow() { #expect(plan(RuleSpec(kind: .allow, targets: [RuleDesk.app("a")])).isEmpty) }

    @Test("A goal counts its own apps and detects early usage of its reward")
    func goal() throws {
        let events = try #require(plan(RuleDesk.goal()).first?.events)

        #expect(events.map(\.name) == ["used", "early"])
        #expect(events[0].targets.map(\.id) == ["code"])
        #expect(events[0].threshold == DateFields(hour: 2))
        #expect(events[1].targets.map(\.id) == ["games"])
    }

    /// A simple reference: a window is open if it began within its own length before the moment.
    private static func isOpen(_ spec: RuleSpec, weekday: Int, minute: Int) -> Bool {
        guard let window = spec.window, let from = ClockTime(window.from)?.minutes,
            let to = ClockTime(window.to)?.minutes
        else { return false }
        let days = spec.days ?? Array(1...7)
        let now = (weekday - 1) * 1440 + minute
        let length = (to - from + 1440) % 1440
        return days.contains { day in
            let start = (day - 1) * 1440 + from
            return (now - start + 7 * 1440) % (7 * 1440) < length
        }
    }

    @Test(
        "A window's activities cover its closed time exactly once, for any days",
        arguments: [
            ("17:00", "20:00"), ("22:00", "01:30"), ("00:00", "08:00"), ("16:00", "00:00"),
            ("23:45", "00:00"),
        ]
    )
    func outside(from: String, to: String) throws {
        let weeks: [[Int]?] = [nil, [2, 3, 4, 5, 6], [1, 7], [4], [1, 3, 5, 7], [1, 2, 3, 4, 5, 6], [7]]
        for days in weeks {
            let spec = RuleDesk.window(from, to, days: days)
            let zone = "Asia/Seoul"
            // A Sunday, in a zone without summer time.
            let startMs =
                Int64(CivilDate(year: 2026, month: 11, day: 15).daysSinceEpoch) * 86_400_000 - 9 * 3_600_000
            let closed = plan(spec).flatMap {
                $0.schedule.preview(count: 40, fromMs: startMs - 7 * 86_400_000, zone: zone)
            }
            for weekday in 1...7 {
                for minute in stride(from: 0, to: 1440, by: 15) {
                    let now = startMs + Int64((weekday - 1) * 1440 + minute) * 60_000
                    let count = closed.count { $0.contains(now) }
                    let expected = Self.isOpen(spec, weekday: weekday, minute: minute) ? 0 : 1
                    if count != expected {
                        Issue.record(
                            "\(from)-\(to) on \(days ?? []): \(count) at \(minute / 60):\(minute % 60) of day \(weekday)"
                        )
                        return
                    }
                }
            }
        }
    }

    private static let firstDay = CivilDate(year: 2026, month: 11, day: 15)
    private static let zone = "Asia/Seoul"

    private static func wallMs(_ day: CivilDate, minute: Int) -> Int64 {
        Int64(day.daysSinceEpoch) * 86_400_000 - 9 * 3_600_000 + Int64(minute) * 60_000
    }

    private static func randomDays(_ random: inout SeededRandom) -> (days: [Int]?, except: [String]) {
        let days = (1...7).filter { _ in random.chance(percent: 60) }
        let except = (0..<14).filter { _ in random.chance(percent: 30) }.map {
            firstDay.adding(days: $0).text
        }
        return (days.isEmpty || days.count == 7 ? nil : days, except)
    }

    @Test("On exception days a limit does not apply, or has its weekend amount", arguments: 1...60)
    func exceptions(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var spec = RuleDesk.limit(minutes: 30)
        (spec.days, spec.except) = Self.randomDays(&random)
        let both = [RuleSpec.weekend, Set(2...6)].allSatisfy { !spec.weekdays.isDisjoint(with: $0) }
        if both, random.chance(percent: 50) {
            spec.weekendMs = 3_600_000
        }

        for day in (0..<14).map({ Self.firstDay.adding(days: $0) }) {
            let noonMs = Self.wallMs(day, minute: 720)
            let amounts = plan(spec).filter {
                $0.schedule.interval(atOrAfter: noonMs, zone: Self.zone)?.contains(noonMs) == true
            }.map { try? $0.events[0].threshold.thresholdMs() }

            let expected = spec.amountMs(on: day)
            #expect(amounts == (expected == nil ? [] : [expected]), "\(day.text) \(spec)")
        }
    }

    /// A reference with exception days. On these days, the window opens. On their eve, it stays open after its end.
    private static func isOpen(_ spec: RuleSpec, wallMs: Int64, from: Int, to: Int) -> Bool {
        let length = (to - from + 1440) % 1440
        return (-2..<17).map { firstDay.adding(days: $0) }.contains { day in
            let isException = spec.except?.contains(day.text) == true
            let isIn = { (day: CivilDate) in spec.days?.contains(day.weekday) ?? true }
            let startMs = Self.wallMs(day, minute: from)
            if isException || isIn(day), (startMs..<startMs + Int64(length) * 60_000).contains(wallMs) {
                return true
            }
            guard isException, isIn(day), isIn(day.adding(days: -1)) else { return false }
            let eveMs = Self.wallMs(day.adding(days: -1), minute: from) + Int64(length) * 60_000
            return (eveMs..<startMs).contains(wallMs)
        }
    }

    @Test("A window opens on exception days and does not close on the evening before", arguments: 1...60)
    func windowExceptions(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let windows = [("17:00", "20:00"), ("22:00", "01:30"), ("16:00", "00:00")]
        let (from, to) = windows[random.number(0...2)]
        var spec = RuleDesk.window(from, to)
        (spec.days, spec.except) = Self.randomDays(&random)
        let minutes = (try #require(ClockTime(from)).minutes, try #require(ClockTime(to)).minutes)
        let plan = plan(spec)
        // The test leaves out the first and last day because the days beside them could be exceptions.
        for day in (1..<13).map({ Self.firstDay.adding(days: $0) }) {
            for minute in stride(from: 0, to: 1440, by: 30) {
                let now = Self.wallMs(day, minute: minute)
                let count = plan.count {
                    $0.schedule.interval(atOrAfter: now, zone: Self.zone)?.contains(now) == true
                }
                let expected = Self.isOpen(spec, wallMs: now, from: minutes.0, to: minutes.1) ? 0 : 1
                guard count != expected else { continue }
                Issue.record("\(count) at \(minute / 60):\(minute % 60) of \(day.text) \(spec)")
                return
            }
        }
    }

    @Test("Only a window with days of its own needs a second activity")
    func counts() {
        #expect(plan(RuleDesk.window()).map(\.activity) == ["r"])
        #expect(plan(RuleDesk.window(days: [2])).map(\.activity) == ["r", "r/off"])
    }

    @Test(
        "A time of day has two digits, a colon and two digits",
        arguments: [
            ("00:00", 0), ("07:05", 425), ("23:59", 1439), ("24:00", 0),
        ]
    )
    func times(text: String, minutes: Int) { #expect(ClockTime(text)?.minutes == minutes) }

    @Test(
        "Text that is not a time of day is rejected",
        arguments: ["", "7:00", "25:00", "12:60", "24:01", "12.30", "1a:00", "-1:00", "12:300", "１２:00"]
    )
    func badTimes(text: String) { #expect(ClockTime(text) == nil) }
}
