import STDomain
import STPlatform
import STTestSupport
import Testing

@Suite("Schedules that are refused")
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

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var schedule: Schedule
        var field: String
        var word: String

        init(_ name: String, _ schedule: Schedule, _ field: String, _ word: String) {
            self.name = name
            self.schedule = schedule
            self.field = field
            self.word = word
        }

        var testDescription: String { name }
    }

    private static func schedule(
        _ start: DateFields,
        _ end: DateFields,
        repeats: Bool = true,
        warning: DateFields? = nil
    ) -> Schedule {
        Schedule(start: start, end: end, repeats: repeats, warning: warning)
    }

    private static func fields(_ base: DateFields, _ change: (inout DateFields) -> Void) -> DateFields {
        var fields = base
        change(&fields)
        return fields
    }

    static let cases: [Case] = [
        Case(
            "time and date",
            schedule(time("22:00"), date("2026-11-21 07:00"), repeats: false),
            "/end",
            "kinds"
        ),
        Case(
            "date and time",
            schedule(date("2026-11-21 07:00"), time("22:00"), repeats: false),
            "/end",
            "kinds"
        ),
        Case("weekday on one end", schedule(time("Mon 22:00"), time("07:00")), "/end", "kinds"),
        Case("hour on one end", schedule(time("22:00"), DateFields(minute: 7)), "/end", "hour"),
        Case(
            "year on one end",
            schedule(DateFields(month: 2, day: 1), date("2026-02-02"), repeats: false),
            "/end",
            "kinds"
        ),
        Case("empty start", schedule(DateFields(), time("07:00")), "/start", "no components"),
        Case("empty end", schedule(time("07:00"), DateFields(zone: "Asia/Seoul")), "/end", "no components"),
        Case("hour 25", schedule(DateFields(hour: 25), time("07:00")), "/start/hour", "hour 25"),
        Case(
            "minute -1",
            schedule(time("07:00"), DateFields(hour: 7, minute: -1)),
            "/end/minute",
            "minute -1"
        ),
        Case("second 60", schedule(time("07:00"), time("08:00:60")), "/end/second", "second 60"),
        Case(
            "weekday 0",
            schedule(DateFields(hour: 1, weekday: 0), time("Mon 08:00")),
            "/start/weekday",
            "0"
        ),
        Case("month 13", once("2026-13-01 08:00", "2026-12-02 08:00"), "/start/month", "month 13"),
        Case("30 February", once("2026-02-30 08:00", "2026-12-02 08:00"), "/start/day", "February 2026"),
        Case("year 1", once("0001-01-01 08:00", "2026-12-02 08:00"), "/start/year", "1970"),
        Case("huge", schedule(DateFields(hour: .max), time("07:00")), "/start/hour", "outside"),
        Case(
            "wrong weekday",
            schedule(
                fields(date("2026-11-20 08:00")) { $0.weekday = 2 },
                date("2026-11-21 08:00"),
                repeats: false
            ),
            "/start/weekday",
            "2026-11-20 is a Friday and not a Monday"
        ),
        Case(
            "weekday and day",
            schedule(
                DateFields(day: 13, hour: 9, weekday: 6),
                DateFields(day: 13, hour: 10, weekday: 6),
                repeats: false
            ),
            "/start/weekday",
            "full date"
        ),
        Case(
            "week of year",
            schedule(fields(time("07:00")) { $0.weekOfYear = 3 }, time("08:00")),
            "/start/week_of_year",
            "week_of_year"
        ),
        Case(
            "no minute",
            schedule(DateFields(hour: 7, second: 30), time("08:00")),
            "/start/minute",
            "second needs a minute"
        ),
        Case(
            "no day",
            schedule(DateFields(month: 2, hour: 7), DateFields(month: 2, hour: 8), repeats: false),
            "/start/day",
            "needs a day"
        ),
        Case(
            "no month",
            schedule(DateFields(year: 2027, day: 2), DateFields(year: 2027, day: 3), repeats: false),
            "/start/month",
            "month"
        ),
        Case(
            "no hour",
            schedule(DateFields(day: 2, minute: 2), DateFields(day: 3), repeats: false),
            "/start/hour",
            "hour"
        ),
        Case(
            "second alone",
            schedule(DateFields(second: 2), DateFields(second: 3)),
            "/start/minute",
            "minute"
        ),
        Case(
            "calendar",
            schedule(fields(time("07:00")) { $0.calendar = "hebrew" }, time("08:00")),
            "/start/calendar",
            "gregorian and iso8601"
        ),
        Case(
            "zone",
            schedule(time("07:00"), fields(time("08:00")) { $0.zone = "Europe/Atlantis" }),
            "/end/zone",
            "Europe/Berlin"
        ),
        Case(
            "two zones",
            schedule(
                fields(time("07:00")) { $0.zone = "Asia/Seoul" },
                fields(time("08:00")) { $0.zone = "UTC" }
            ),
            "/end/zone",
            "different zones"
        ),
        Case(
            "date repeats",
            schedule(date("2026-11-21 07:00"), date("2026-11-21 08:00")),
            "/repeats",
            "does not repeat"
        ),
        Case(
            "month repeats",
            schedule(DateFields(day: 2), DateFields(day: 3)),
            "/repeats",
            "does not repeat"
        ),
        Case("past", once("2026-11-19 07:00", "2026-11-20 12:00"), "", "no future date"),
        Case("backwards", once("2026-11-23 07:00", "2026-11-22 07:00"), "", "not after the start"),
        Case("no length", once("2026-11-23 07:00", "2026-11-23 07:00"), "", "not after the start"),
        Case("hour left out", once("2027-03-28 02:00", "2027-03-28 03:00"), "", "no future date"),
        Case(
            "warning below zero",
            schedule(time("07:00"), time("08:00"), warning: DateFields(minute: -5)),
            "/warning",
            "negative"
        ),
        Case(
            "empty warning",
            schedule(time("07:00"), time("08:00"), warning: DateFields()),
            "/warning",
            "empty"
        ),
        Case(
            "warning of a year",
            schedule(time("07:00"), time("08:00"), warning: DateFields(year: 1)),
            "/warning",
            "no year"
        ),
        Case("no day of the week", daily("07:00", "08:00", days: []), "/days", "one to seven"),
        Case("day 8", daily("07:00", "08:00", days: [1, 8]), "/days", "1 (Sunday) to 7"),
        Case("eight days", daily("07:00", "08:00", days: [1, 1, 1, 1, 1, 1, 1, 1]), "/days", "one to seven"),
        Case(
            "days and a weekday",
            Schedule(start: time("Mon 07:00"), end: time("Mon 08:00"), repeats: true, days: [2]),
            "/days",
            "already"
        ),
    ]

    @Test(
        "what says nothing, or two things, is refused with the rule and what was understood",
        arguments: cases
    )
    func refused(wrong: Case) throws {
        let problem = try #require(refusal(wrong.schedule))

        #expect(problem.code == "activity.invalid_date_components")
        #expect(problem.field == "/schedule" + wrong.field)
        #expect(problem.message.contains(wrong.word), "\(problem.message)")
        #expect(problem.message.contains("Understood: "))
        if !wrong.field.isEmpty {
            #expect(
                wrong.schedule.warning != nil
                    || wrong.schedule.interval(atOrAfter: Self.now, zone: "UTC") == nil
            )
        }
    }

    @Test("too short and too long are told with what was understood")
    func lengths() throws {
        let short = try #require(refusal(daily("22:00", "22:10")))
        let long = try #require(refusal(once("2026-11-20 22:00", "2026-11-28 22:00")))

        #expect(short.code == "activity.interval_too_short")
        #expect(
            short.message
                == "An interval has at least 15 min; this one has 10 min. Understood: 22:00 to 22:10 in "
                + "Europe/Berlin, next: Fri 20 Nov 22:00 to Fri 20 Nov 22:10."
        )
        #expect(long.code == "activity.interval_too_long")
        #expect(
            long.message
                == "An interval has at most 7 d; this one has 8 d. Understood: Fri 20 Nov 2026 22:00 to "
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

    @Test("the whole interval counts and not what is left of it")
    func backdated() throws {
        let minute = try reading(once("2026-11-20 11:46", "2026-11-20 12:01"))

        #expect(
            minute.interval
                == Interval(startMs: Self.now - 14 * 60_000, endMs: Self.now + 60_000, zone: "Europe/Berlin")
        )
        #expect(minute.text.hasSuffix("now: Fri 20 Nov 11:46 to Fri 20 Nov 12:01"))
        #expect(refusal(once("2026-11-20 11:47", "2026-11-20 12:01"))?.code == "activity.interval_too_short")
    }

    @Test("a change of the clock makes no schedule too long or too short")
    func changes() {
        // 169 hours, and ten minutes that the clock shows as seventy.
        #expect(refusal(once("2027-10-27 09:00", "2027-11-03 09:00")) == nil)
        #expect(refusal(once("2027-03-28 01:55", "2027-03-28 03:05")) == nil)
        #expect(refusal(once("2027-10-31 02:50", "2027-10-31 03:00")) == nil)
    }

    @Test("what was understood is told in words")
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

    @Test("components of a moment, all of them, are a date")
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

    @Test("warnings come before start and end, and not before what they warn of has begun")
    func warnings() throws {
        let schedule = Schedule(
            start: time("22:00"),
            end: time("23:00"),
            repeats: true,
            warning: DateFields(hour: 1, minute: 90)
        )
        let found = try reading(schedule)
        let warning = try #require(found.warningMs)

        #expect(warning == 9_000_000)
        #expect(found.interval.willStartMs(warningMs: warning) == at("2026-11-20 19:30", "Europe/Berlin"))
        #expect(found.interval.willEndMs(warningMs: warning) == found.interval.startMs)
        #expect(found.interval.willEndMs(warningMs: 60_000) == found.interval.endMs - 60_000)
    }
}
