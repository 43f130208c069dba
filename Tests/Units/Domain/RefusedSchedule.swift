import STDomain
import Testing

/// A schedule with one thing wrong, the place of it, and a word that the refusal must say.
struct RefusedSchedule: Sendable, CustomTestStringConvertible {
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

    static let all: [Self] = [
        Self(
            "time and date",
            schedule(time("22:00"), date("2026-11-21 07:00"), repeats: false),
            "/end",
            "kinds"
        ),
        Self(
            "date and time",
            schedule(date("2026-11-21 07:00"), time("22:00"), repeats: false),
            "/end",
            "kinds"
        ),
        Self("weekday on one end", schedule(time("Mon 22:00"), time("07:00")), "/end", "kinds"),
        Self("hour on one end", schedule(time("22:00"), DateFields(minute: 7)), "/end", "hour"),
        Self(
            "year on one end",
            schedule(DateFields(month: 2, day: 1), date("2026-02-02"), repeats: false),
            "/end",
            "kinds"
        ),
        Self("empty start", schedule(DateFields(), time("07:00")), "/start", "no date components"),
        Self(
            "empty end",
            schedule(time("07:00"), DateFields(zone: "Asia/Seoul")),
            "/end",
            "no date components"
        ),
        Self("hour 25", schedule(DateFields(hour: 25), time("07:00")), "/start/hour", "hour 25"),
        Self(
            "minute -1",
            schedule(time("07:00"), DateFields(hour: 7, minute: -1)),
            "/end/minute",
            "minute -1"
        ),
        Self("second 60", schedule(time("07:00"), time("08:00:60")), "/end/second", "second 60"),
        Self(
            "weekday 0",
            schedule(DateFields(hour: 1, weekday: 0), time("Mon 08:00")),
            "/start/weekday",
            "0"
        ),
        Self("month 13", once("2026-13-01 08:00", "2026-12-02 08:00"), "/start/month", "month 13"),
        Self("30 February", once("2026-02-30 08:00", "2026-12-02 08:00"), "/start/day", "February 2026"),
        Self("year 1", once("0001-01-01 08:00", "2026-12-02 08:00"), "/start/year", "1970"),
        Self("huge", schedule(DateFields(hour: .max), time("07:00")), "/start/hour", "from 0 to 23"),
        Self(
            "wrong weekday",
            schedule(
                fields(date("2026-11-20 08:00")) { $0.weekday = 2 },
                date("2026-11-21 08:00"),
                repeats: false
            ),
            "/start/weekday",
            "2026-11-20 is a Friday and not a Monday"
        ),
        Self(
            "weekday and day",
            schedule(
                DateFields(day: 13, hour: 9, weekday: 6),
                DateFields(day: 13, hour: 10, weekday: 6),
                repeats: false
            ),
            "/start/weekday",
            "full date"
        ),
        Self(
            "week of year",
            schedule(fields(time("07:00")) { $0.weekOfYear = 3 }, time("08:00")),
            "/start/week_of_year",
            "week_of_year"
        ),
        Self(
            "no minute",
            schedule(DateFields(hour: 7, second: 30), time("08:00")),
            "/start/minute",
            "minute must be set too"
        ),
        Self(
            "no day",
            schedule(DateFields(month: 2, hour: 7), DateFields(month: 2, hour: 8), repeats: false),
            "/start/day",
            "needs a day"
        ),
        Self(
            "no month",
            schedule(DateFields(year: 2027, day: 2), DateFields(year: 2027, day: 3), repeats: false),
            "/start/month",
            "month"
        ),
        Self(
            "no hour",
            schedule(DateFields(day: 2, minute: 2), DateFields(day: 3), repeats: false),
            "/start/hour",
            "hour"
        ),
        Self(
            "second alone",
            schedule(DateFields(second: 2), DateFields(second: 3)),
            "/start/minute",
            "minute"
        ),
        Self(
            "calendar",
            schedule(fields(time("07:00")) { $0.calendar = "hebrew" }, time("08:00")),
            "/start/calendar",
            "gregorian or iso8601"
        ),
        Self(
            "zone",
            schedule(time("07:00"), fields(time("08:00")) { $0.zone = "Europe/Atlantis" }),
            "/end/zone",
            "Europe/Berlin"
        ),
        Self(
            "two zones",
            schedule(
                fields(time("07:00")) { $0.zone = "Asia/Seoul" },
                fields(time("08:00")) { $0.zone = "UTC" }
            ),
            "/end/zone",
            "different time zones"
        ),
        Self(
            "date repeats",
            schedule(date("2026-11-21 07:00"), date("2026-11-21 08:00")),
            "/repeats",
            "does not repeat"
        ),
        Self(
            "month repeats",
            schedule(DateFields(day: 2), DateFields(day: 3)),
            "/repeats",
            "does not repeat"
        ),
        Self("past", once("2026-11-19 07:00", "2026-11-20 12:00"), "", "No future date"),
        Self("backwards", once("2026-11-23 07:00", "2026-11-22 07:00"), "", "not after the start"),
        Self("no length", once("2026-11-23 07:00", "2026-11-23 07:00"), "", "not after the start"),
        Self("hour left out", once("2027-03-28 02:00", "2027-03-28 03:00"), "", "No future date"),
        Self(
            "warning below zero",
            schedule(time("07:00"), time("08:00"), warning: DateFields(minute: -5)),
            "/warning",
            "negative"
        ),
        Self(
            "empty warning",
            schedule(time("07:00"), time("08:00"), warning: DateFields()),
            "/warning",
            "No length is given"
        ),
        Self(
            "warning of a year",
            schedule(time("07:00"), time("08:00"), warning: DateFields(year: 1)),
            "/warning",
            "the component year"
        ),
        Self("no day of the week", daily("07:00", "08:00", days: []), "/days", "one to seven"),
        Self("day 8", daily("07:00", "08:00", days: [1, 8]), "/days", "1 (Sunday) to 7"),
        Self("eight days", daily("07:00", "08:00", days: [1, 1, 1, 1, 1, 1, 1, 1]), "/days", "one to seven"),
        Self(
            "days and a weekday",
            Schedule(start: time("Mon 07:00"), end: time("Mon 08:00"), repeats: true, days: [2]),
            "/days",
            "already"
        ),
    ]
}
