import STContracts
import STDomain
import STPlatform
import STTestSupport
import Testing

@testable import STActivityCore

@Suite("The activities of a rule")
struct RulePlanTests {
    private func plan(_ spec: RuleSpec) -> [ActivityStart.Request] {
        var spec = spec
        spec.member = "owner"
        return RulePlan.activities(of: Rule(id: "r", spec: spec, addedMs: 0))
    }

    @Test("a limit is the whole day with one event that counts from midnight, and its warning")
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
        "another amount at weekends is an activity of its own, on the days of the rule alone",
        arguments: [(nil, [2, 3, 4, 5, 6], [1, 7]), ([6, 7], [6], [7])] as [([Int]?, [Int], [Int])]
    )
    func weekend(_ days: [Int]?, _ week: [Int], _ weekend: [Int]) throws {
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

    @Test("a limit without targets covers everything")
    func everything() throws {
        let spec = RuleSpec(kind: .limit, durationMs: 3_600_000)

        #expect(try #require(plan(spec).first?.events.first).targets.isEmpty)
    }

    @Test(
        "every length of time is one that a schedule understands",
        arguments: [1, 59, 60, 61, 3_600, 3_661, 86_399, 86_400]
    )
    func thresholds(seconds: Int64) throws {
        var spec = RuleDesk.limit()
        spec.durationMs = seconds * 1000

        #expect(try plan(spec)[0].events[0].threshold.thresholdMs() == seconds * 1000)
    }

    @Test("a downtime is its own schedule and counts nothing")
    func downtime() throws {
        let activity = try #require(plan(RuleDesk.downtime()).first)

        #expect(activity.schedule.start == DateFields(hour: 21, minute: 30))
        #expect(activity.schedule.end == DateFields(hour: 7, minute: 0))
        #expect(activity.events.isEmpty)
    }

    @Test("an always-allowed app needs no activity")
    func allow() { #expect(plan(RuleSpec(kind: .allow, targets: [RuleDesk.app("a")])).isEmpty) }

    @Test("a goal counts its own apps, and notices early use of its reward")
    func goal() throws {
        let events = try #require(plan(RuleDesk.goal()).first?.events)

        #expect(events.map(\.name) == ["used", "early"])
        #expect(events[0].targets.map(\.id) == ["code"])
        #expect(events[0].threshold == DateFields(hour: 2))
        #expect(events[1].targets.map(\.id) == ["games"])
    }

    /// A slow and obvious reading of the same words: the window is open at a moment if it began within its length.
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
        "a window's activities fill all the time in which it is closed, once, for any days",
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

    @Test("on a day of exception a limit does not hold, or has its amount of weekends", arguments: 1...60)
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

    /// It opens on its days and on those of exception, and is free from its end on the eve of such a day.
    private static func isOpen(_ spec: RuleSpec, _ wallMs: Int64, _ from: Int, _ to: Int) -> Bool {
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

    @Test("a window opens on days of exception, and what is about it is free on their eve", arguments: 1...60)
    func windowExceptions(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let windows = [("17:00", "20:00"), ("22:00", "01:30"), ("16:00", "00:00")]
        let (from, to) = windows[random.number(0...2)]
        var spec = RuleDesk.window(from, to)
        (spec.days, spec.except) = Self.randomDays(&random)
        let minutes = (try #require(ClockTime(from)).minutes, try #require(ClockTime(to)).minutes)
        let plan = plan(spec)
        // The eve of the first day and the day after the last have exceptions that are not looked at.
        for day in (1..<13).map({ Self.firstDay.adding(days: $0) }) {
            for minute in stride(from: 0, to: 1440, by: 30) {
                let now = Self.wallMs(day, minute: minute)
                let count = plan.count {
                    $0.schedule.interval(atOrAfter: now, zone: Self.zone)?.contains(now) == true
                }
                let expected = Self.isOpen(spec, now, minutes.0, minutes.1) ? 0 : 1
                guard count != expected else { continue }
                Issue.record("\(count) at \(minute / 60):\(minute % 60) of \(day.text) \(spec)")
                return
            }
        }
    }

    @Test("only a window with days of its own needs a second activity")
    func counts() {
        #expect(plan(RuleDesk.window()).map(\.activity) == ["r"])
        #expect(plan(RuleDesk.window(days: [2])).map(\.activity) == ["r", "r/off"])
    }

    @Test(
        "times of the day are two digits, a colon and two digits",
        arguments: [
            ("00:00", 0), ("07:05", 425), ("23:59", 1439), ("24:00", 0),
        ]
    )
    func times(text: String, minutes: Int) { #expect(ClockTime(text)?.minutes == minutes) }

    @Test(
        "other texts are not times of the day",
        arguments: ["", "7:00", "25:00", "12:60", "24:01", "12.30", "1a:00", "-1:00", "12:300", "１２:00"]
    )
    func badTimes(text: String) { #expect(ClockTime(text) == nil) }
}
