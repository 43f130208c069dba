import STDomain
import STPlatform
import Testing

@Suite("Refused schedules")
struct ScheduleRefusalTests {
    private static let now = at("2026-11-20 12:00", "Europe/Berlin")

    private func refusal(_ schedule: Schedule, limits: ScheduleLimits = ScheduleLimits()) -> Problem? {
        do {
            _ = try schedule.check(limits: limits, nowMs: Self.now, zone: "Europe/Berlin")
            return nil
        } catch {
            return error as? Problem
        }
    }

    private func reading(_ schedule: Schedule) throws -> ScheduleReading {
        try schedule.check(limits: ScheduleLimits(), nowMs: Self.now, zone: "Europe/Berlin")
    }

    @Test(
        "A refused schedule's message names the mistake, its field and how the schedule was read",
        arguments: RefusedSchedule.all
    )
    func refused(wrong: RefusedSchedule) throws {
        let problem = try #require(refusal(wrong.schedule))

        #expect(problem.code == "activity.invalid_date_components")
        #expect(problem.field == "/schedule" + wrong.field)
        #expect(problem.message.contains(wrong.word), "\(problem.message)")
        #expect(problem.message.contains("Screen Time read it as: "))
        if !wrong.field.isEmpty {
            #expect(
                wrong.schedule.warning != nil
                    || wrong.schedule.interval(atOrAfter: Self.now, zone: "UTC") == nil
            )
        }
    }

    @Test("The refusal of an interval's length states the limit and how the schedule was read")
    func lengths() throws {
        let short = try #require(refusal(daily("22:00", "22:10")))
        let long = try #require(refusal(once("2026-11-20 22:00", "2026-11-28 22:00")))

        #expect(short.code == "activity.interval_too_short")
        #expect(
            short.message
                == "An interval must last at least 15 min, but this one lasts 10 min. Screen Time read it as: 22:00 to 22:10 in "
                + "Europe/Berlin, next: Fri 20 Nov 22:00 to Fri 20 Nov 22:10."
        )
        #expect(long.code == "activity.interval_too_long")
        #expect(
            long.message
                == "An interval can last at most 7 d, but this one lasts 8 d. Screen Time read it as: Fri 20 Nov 2026 22:00 to "
                + "Sat 28 Nov 2026 22:00 in Europe/Berlin, next: Fri 20 Nov 22:00 to Sat 28 Nov 22:00."
        )
        #expect(refusal(daily("22:00", "22:14:59"))?.code == "activity.interval_too_short")
        #expect(refusal(daily("22:00", "22:15")) == nil)
        #expect(refusal(daily("22:00", "22:01"), limits: ScheduleLimits(minMs: 60_000)) == nil)
        #expect(
            refusal(daily("22:00", "07:00"), limits: ScheduleLimits(maxMs: 3_600_000))?.code
                == "activity.interval_too_long"
        )
        #expect(refusal(Schedule(start: time("Mon 08:00"), end: time("Mon 08:00"), repeats: true)) == nil)
    }

    @Test("The minimum length applies to the whole interval, not to the time that remains of it")
    func backdated() throws {
        let minute = try reading(once("2026-11-20 11:46", "2026-11-20 12:01"))

        #expect(
            minute.interval
                == Interval(startMs: Self.now - 14 * 60_000, endMs: Self.now + 60_000, zone: "Europe/Berlin")
        )
        #expect(minute.text.hasSuffix("now: Fri 20 Nov 11:46 to Fri 20 Nov 12:01"))
        #expect(refusal(once("2026-11-20 11:47", "2026-11-20 12:01"))?.code == "activity.interval_too_short")
    }

    @Test("A clock change makes no interval too long or too short")
    func changes() {
        // An interval of 169 hours, one of 10 minutes that the clock shows as 70, and one of 70 that it shows as 10.
        #expect(refusal(once("2027-10-27 09:00", "2027-11-03 09:00")) == nil)
        #expect(refusal(once("2027-03-28 01:55", "2027-03-28 03:05")) == nil)
        #expect(refusal(once("2027-10-31 02:50", "2027-10-31 03:00")) == nil)
    }

    @Test("A schedule is described by its times, days, zone and next interval")
    func words() throws {
        let night = try reading(daily("22:00", "07:00"))
        let school = try reading(daily("22:00", "07:00", days: [5, 1]))

        #expect(night.text == "22:00 to 07:00 in Europe/Berlin, next: Fri 20 Nov 22:00 to Sat 21 Nov 07:00")
        #expect(night.warningMs == nil)
        #expect(night.unwatched == nil)
        #expect(
            school.text
                == "22:00 to 07:00 on Sun, Thu in Europe/Berlin, next: Sun 22 Nov 22:00 to Mon 23 Nov 07:00"
        )
    }

    @Test("A start with every component of one moment is read as a date")
    func redundant() throws {
        var start = date("2026-11-20 11:00")
        start.calendar = "gregorian"
        start.zone = "Europe/Berlin"
        start.era = 1
        start.second = 3
        start.nanosecond = 250_999_999
        start.weekday = 6
        start.weekdayOrdinal = 3
        start.quarter = 0
        start.weekOfMonth = 3
        start.weekOfYear = 47
        start.yearForWeekOfYear = 2026
        start.dayOfYear = 324
        let found = try reading(Schedule(start: start, end: date("2026-11-20 13:00"), repeats: false))

        #expect(found.interval.startMs == at("2026-11-20 11:00:03", "Europe/Berlin") + 250)
        #expect(
            found.text.hasPrefix(
                "Fri 20 Nov 2026 11:00:03.250 to Fri 20 Nov 2026 13:00 in Europe/Berlin, now: "
            )
        )
    }

    @Test("A warning can be longer than the interval, and its components are added together")
    func warnings() throws {
        let schedule = Schedule(
            start: time("22:00"),
            end: time("23:00"),
            repeats: true,
            warning: DateFields(hour: 1, minute: 90)
        )

        #expect(try reading(schedule).warningMs == 9_000_000)
    }
}
