import STDomain
import STPlatform
import STTestSupport
import Testing

@Suite("Random schedules")
struct ScheduleFuzzTests {
    private static let zones = ["Europe/Berlin", "Pacific/Apia", "Australia/Lord_Howe", "UTC"]
    private static let codes: Set<String> = [
        "activity.invalid_date_components", "activity.interval_too_short", "activity.interval_too_long",
    ]

    private static func any(_ random: inout SeededRandom) -> DateFields {
        func value(_ usual: ClosedRange<Int>, percent: Int64) -> Int? {
            guard random.chance(percent: percent) else { return nil }
            return random.chance(percent: 97)
                ? random.number(usual) : random.pick([.min, -1, 0, 60, 366, 1 << 40, .max])
        }
        let isDate = random.chance(percent: 40)
        var fields = DateFields(
            year: value(2025...2028, percent: isDate ? 80 : 3),
            month: value(1...12, percent: isDate ? 90 : 3),
            day: value(1...31, percent: isDate ? 95 : 3),
            hour: value(0...23, percent: 85),
            minute: value(0...59, percent: 80),
            second: value(0...59, percent: 20),
            weekday: value(1...7, percent: 15)
        )
        fields.weekOfYear = value(1...53, percent: 2)
        fields.nanosecond = value(0...999_999_999, percent: 5)
        fields.zone = random.chance(percent: 5) ? random.pick(zones + ["", "nowhere", "\u{0}"]) : nil
        fields.calendar = random.chance(percent: 5) ? random.pick(["gregorian", "iso8601", "chinese"]) : nil
        return fields
    }

    @Test("Ten thousand random schedules are read or refused with a documented code, without a trap")
    func anything() throws {
        var read = 0
        for seed in 0..<10_000 {
            var random = SeededRandom(seed: UInt64(seed))
            let start = Self.any(&random)
            let schedule = Schedule(
                start: start,
                end: random.chance(percent: 30) ? start : Self.any(&random),
                repeats: random.chance(percent: 50),
                warning: random.chance(percent: 10) ? Self.any(&random) : nil,
                days: random.chance(percent: 10)
                    ? (0..<random.number(0...8)).map { _ in random.number(0...8) } : nil
            )
            let zone = random.pick(Self.zones) ?? Self.zones[0]
            let now = at("2026-01-01 00:00") + random.number(0...500 * 86_400_000)
            do {
                let reading = try schedule.check(limits: ScheduleLimits(), nowMs: now, zone: zone)
                read += 1
                let interval = reading.interval
                guard interval.startMs < interval.endMs, interval.endMs > now,
                    schedule.interval(atOrAfter: now, zone: zone) == interval,
                    reading.text.contains(schedule.summary)
                else {
                    Issue.record("seed \(seed): \(schedule) at \(now): \(reading)")
                    return
                }
            } catch let problem as Problem {
                guard Self.codes.contains(problem.code), problem.message.contains("Screen Time read it as: "),
                    problem.field?.hasPrefix("/schedule") == true
                else {
                    Issue.record("seed \(seed): \(problem)")
                    return
                }
            }
        }
        #expect(read > 1000)
    }

    /// Adds one mistake to a valid schedule, and returns the schedule as text.
    private static func spoil(_ schedule: inout Schedule, _ random: inout SeededRandom) -> String {
        let isDated = schedule.start.day != nil
        switch random.number(0...9) {
        case 0: schedule.end = isDated ? time("07:00") : date("2026-12-24 07:00")
        case 1: schedule.start.hour = random.pick([24, 25, -1, .max])
        case 2: schedule.end.minute = random.pick([60, -1, .min])
        case 3: schedule.end = DateFields()
        case 4:
            schedule.start = date("2026-12-01 07:00")
            schedule.end = date("2026-12-02 07:00")
            schedule.repeats = true
        case 5: schedule.start.zone = "Europe/Atlantis"
        case 6: schedule.end.calendar = "hebrew"
        case 7: schedule.warning = DateFields(minute: random.number(-100...(-1)))
        case 8:
            schedule.end.minute = nil
            schedule.end.second = 5
        default: schedule.days = random.pick([[], [0], [8], [1, 2, 3, 4, 5, 6, 7, 1]])
        }
        return "\(schedule)"
    }

    @Test("A thousand random valid schedules are accepted, and each is refused after one mistake is added")
    func flaws() throws {
        let limits = ScheduleLimits(minMs: 1, maxMs: 400 * 86_400_000)
        for seed in 0..<1000 {
            var random = SeededRandom(seed: UInt64(seed))
            func clock(_ weekday: Int?) -> DateFields {
                DateFields(hour: random.number(0...23), minute: random.number(0...59), weekday: weekday)
            }
            var schedule: Schedule
            switch random.number(0...2) {
            case 0:
                schedule = Schedule(start: clock(nil), end: clock(nil), repeats: random.chance(percent: 70))
            case 1:
                schedule = Schedule(
                    start: clock(random.number(1...7)),
                    end: clock(random.number(1...7)),
                    repeats: random.chance(percent: 70)
                )
            default:
                var start = date("2026-11-\(random.number(1...20))")
                var end = date("2026-12-\(random.number(1...31))")
                start.hour = random.number(0...23)
                start.minute = 0
                end.hour = random.number(0...23)
                end.minute = 0
                schedule = Schedule(start: start, end: end, repeats: false)
            }
            let now = at("2026-11-20 12:00")
            #expect(throws: Never.self, "seed \(seed)") {
                try schedule.check(limits: limits, nowMs: now, zone: "Europe/Berlin")
            }
            let text = Self.spoil(&schedule, &random)
            do {
                let reading = try schedule.check(limits: limits, nowMs: now, zone: "Europe/Berlin")
                Issue.record("seed \(seed): \(text) was read as \(reading.text)")
                return
            } catch let problem as Problem {
                #expect(problem.code == "activity.invalid_date_components", "seed \(seed): \(problem)")
            }
        }
    }
}
