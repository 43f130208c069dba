import Foundation
import STDomain
import STPlatform
import STTestSupport
import Testing

@Suite("Schedules compared with Foundation's calendar")
struct ScheduleFoundationTests {
    private func calendar(_ zone: String) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
        return calendar
    }

    private func next(_ calendar: Calendar, _ fields: DateFields, after ms: Int64) -> Int64? {
        calendar.nextDate(
            after: Date(timeIntervalSince1970: Double(ms) / 1000),
            matching: DateComponents(
                hour: fields.hour,
                minute: fields.minute,
                second: fields.second,
                weekday: fields.weekday
            ),
            matchingPolicy: .nextTimePreservingSmallerComponents
        ).map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
    }

    @Test("A thousand random schedules begin and end at the moments of Foundation's calendar")
    func agrees() throws {
        // Foundation omits days in zones whose clocks change by other than an hour, or over midnight.
        let zones = [
            "Europe/Berlin", "America/New_York", "Asia/Seoul", "Asia/Kathmandu", "Africa/Casablanca", "UTC",
        ]
        for seed in 0..<1000 {
            var random = SeededRandom(seed: UInt64(seed))
            let zone = random.pick(zones) ?? zones[0]
            let calendar = calendar(zone)
            let isWeekly = random.chance(percent: 40)
            func end(_ random: inout SeededRandom) -> DateFields {
                DateFields(
                    // Another test covers skipped and repeated hours.
                    hour: random.number(4...23),
                    minute: random.chance(percent: 80) ? random.number(0...59) : nil,
                    weekday: isWeekly ? random.number(1...7) : nil
                )
            }
            let schedule = Schedule(start: end(&random), end: end(&random), repeats: true)
            let now = at("2026-01-01 00:00") + random.number(0...730 * 86_400_000)
            let interval = try #require(schedule.interval(atOrAfter: now, zone: zone))
            let startMs = try #require(next(calendar, schedule.start, after: interval.startMs - 1))
            let endMs = try #require(next(calendar, schedule.end, after: startMs))
            let after = try #require(schedule.next(after: interval))

            guard startMs == interval.startMs, endMs == interval.endMs, endMs > now,
                next(calendar, schedule.start, after: max(startMs, endMs - 1)) == after.startMs,
                interval.startMs <= now || next(calendar, schedule.start, after: now) == interval.startMs
            else {
                Issue.record("seed \(seed): \(schedule.summary) in \(zone) at \(now): \(interval), \(after)")
                return
            }
        }
    }

    @Test("Skipped and repeated times follow Foundation's calendar", arguments: ["02:00", "02:30", "02:59"])
    func changes(text: String) throws {
        let calendar = calendar("Europe/Berlin")
        for day in ["2026-03-28", "2026-10-24"] {
            let from = at("\(day) 12:00")
            let expected = try #require(next(calendar, time(text), after: from))
            let found = daily(text, "12:00").interval(atOrAfter: from, zone: "Europe/Berlin")

            #expect(found?.startMs == expected)
        }
    }

    @Test("A day missing from a month is the first of the next month", arguments: [29, 30, 31])
    func days(day: Int) throws {
        let calendar = calendar("Europe/Berlin")
        let now = at("2026-02-10 12:00")
        var fields = DateFields(day: day, hour: 9)
        let parts = DateComponents(day: day, hour: 9)
        let moment = Date(timeIntervalSince1970: Double(now) / 1000)
        let expected = calendar.nextDate(
            after: moment,
            matching: parts,
            matchingPolicy: .nextTimePreservingSmallerComponents
        )
        let start = fields
        fields.hour = 10
        let schedule = Schedule(start: start, end: fields, repeats: false)

        #expect(
            schedule.interval(atOrAfter: now, zone: "Europe/Berlin")?.startMs
                == expected.map { Int64($0.timeIntervalSince1970 * 1000) }
        )
    }
}
