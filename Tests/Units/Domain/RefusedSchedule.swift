import STDomain
import Testing

/// A schedule with one mistake, the mistake's field, and a word that the refusal must contain.
struct RefusedSchedule: Sendable, CustomTestStringConvertible {
    var name: String
    var schedule: Schedule
    var field: String
    var word: String

    init(_ name: String, schedule: Schedule, field: String, word: String) {
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
            schedule: schedule(time("22:00"), date("2026-11-21 07:00"), repeats: false),
            field: "/end",
            word: "kinds"
        ),
        Self(
            "date and time",
            schedule: schedule(date("2026-11-21 07:00"), time("22:00"), repeats: false),
            field: "/end",
            word: "kinds"
        ),
        Self(
            "weekday on one end",
            schedule: schedule(time("Mon 22:00"), time("07:00")),
            field: "/end",
            word: "kinds"
        ),
        Self(
            "hour on one end",
            schedule: schedule(time("22:00"), DateFields(minute: 7)),
            field: "/end",
            word: "hour"
        ),
        Self(
            "year on one end",
            schedule: schedule(DateFields(month: 2, day: 1), date("2026-02-02"), repeats: false),
            field: "/end",
            word: "kinds"
        ),
        Self(
            "empty start",
            schedule: schedule(DateFields(), time("07:00")),
            field: "/start",
            word: "no date components"
        ),
        Self(
            "empty end",
            schedule: schedule(time("07:00"), DateFields(zone: "Asia/Seoul")),
            field: "/end",
            word: "no date components"
        ),
        Self(
            "hour 25",
            schedule: schedule(DateFields(hour: 25), time("07:00")),
            field: "/start/hour",
            word: "hour 25"
        ),
        Self(
            "minute -1",
            schedule: schedule(time("07:00"), DateFields(hour: 7, minute: -1)),
            field: "/end/minute",
            word: "minute -1"
        ),
        Self(
            "second 60",
            schedule: schedule(time("07:00"), time("08:00:60")),
            field: "/end/second",
            word: "second 60"
        ),
        Self(
            "weekday 0",
            schedule: schedule(DateFields(hour: 1, weekday: 0), time("Mon 08:00")),
            field: "/start/weekday",
            word: "0"
        ),
        Self(
            "month 13",
            schedule: once("2026-13-01 08:00", "2026-12-02 08:00"),
            field: "/start/month",
            word: "month 13"
        ),
        Self(
            "30 February",
            schedule: once("2026-02-30 08:00", "2026-12-02 08:00"),
            field: "/start/day",
            word: "February 2026"
        ),
        Self(
            "year 1",
            schedule: once("0001-01-01 08:00", "2026-12-02 08:00"),
            field: "/start/year",
            word: "1970"
        ),
        Self(
            "huge",
            schedule: schedule(DateFields(hour: .max), time("07:00")),
            field: "/start/hour",
            word: "from 0 to 23"
        ),
        Self(
            "wrong weekday",
            schedule: schedule(
                fields(date("2026-11-20 08:00")) { $0.weekday = 2 },
                date("2026-11-21 08:00"),
                repeats: false
            ),
            field: "/start/weekday",
            word: "2026-11-20 is a Friday and not a Monday"
        ),
        Self(
            "weekday and day",
            schedule: schedule(
                DateFields(day: 13, hour: 9, weekday: 6),
                DateFields(day: 13, hour: 10, weekday: 6),
                repeats: false
            ),
            field: "/start/weekday",
            word: "full date"
        ),
        Self(
            "week of year",
            schedule: schedule(fields(time("07:00")) { $0.weekOfYear = 3 }, time("08:00")),
            field: "/start/week_of_year",
            word: "week_of_year"
        ),
        Self(
            "no minute",
            schedule: schedule(DateFields(hour: 7, second: 30), time("08:00")),
            field: "/start/minute",
            word: "minute must be set too"
        ),
        Self(
            "no day",
            schedule: schedule(DateFields(month: 2, hour: 7), DateFields(month: 2, hour: 8), repeats: false),
            field: "/start/day",
            word: "needs a day"
        ),
        Self(
            "no month",
            schedule: schedule(
                DateFields(year: 2027, day: 2),
                DateFields(year: 2027, day: 3),
                repeats: false
            ),
            field: "/start/month",
            word: "month"
        ),
        Self(
            "no hour",
            schedule: schedule(DateFields(day: 2, minute: 2), DateFields(day: 3), repeats: false),
            field: "/start/hour",
            word: "hour"
        ),
        Self(
            "second alone",
            schedule: schedule(DateFields(second: 2), DateFields(second: 3)),
            field: "/start/minute",
            word: "minute"
        ),
        Self(
            "calendar",
            schedule: schedule(fields(time("07:00")) { $0.calendar = "hebrew" }, time("08:00")),
            field: "/start/calendar",
            word: "gregorian or iso8601"
        ),
        Self(
            "zone",
            schedule: schedule(time("07:00"), fields(time("08:00")) { $0.zone = "Europe/Atlantis" }),
            field: "/end/zone",
            word: "Europe/Berlin"
        ),
        Self(
            "two zones",
            schedule: schedule(
                fields(time("07:00")) { $0.zone = "Asia/Seoul" },
                fields(time("08:00")) { $0.zone = "UTC" }
            ),
            field: "/end/zone",
            word: "different time zones"
        ),
        Self(
            "date repeats",
            schedule: schedule(date("2026-11-21 07:00"), date("2026-11-21 08:00")),
            field: "/repeats",
            word: "does not repeat"
        ),
        Self(
            "month repeats",
            schedule: schedule(DateFields(day: 2), DateFields(day: 3)),
            field: "/repeats",
            word: "does not repeat"
        ),
        Self(
            "past",
            schedule: once("2026-11-19 07:00", "2026-11-20 12:00"),
            field: "",
            word: "No future date"
        ),
        Self(
            "backwards",
            schedule: once("2026-11-23 07:00", "2026-11-22 07:00"),
            field: "",
            word: "not after the start"
        ),
        Self(
            "no length",
            schedule: once("2026-11-23 07:00", "2026-11-23 07:00"),
            field: "",
            word: "not after the start"
        ),
        Self(
            "hour left out",
            schedule: once("2027-03-28 02:00", "2027-03-28 03:00"),
            field: "",
            word: "No future date"
        ),
        Self(
            "warning below zero",
            schedule: schedule(time("07:00"), time("08:00"), warning: DateFields(minute: -5)),
            field: "/warning",
            word: "negative"
        ),
        Self(
            "empty warning",
            schedule: schedule(time("07:00"), time("08:00"), warning: DateFields()),
            field: "/warning",
            word: "No length is given"
        ),
        Self(
            "warning of a year",
            schedule: schedule(time("07:00"), time("08:00"), warning: DateFields(year: 1)),
            field: "/warning",
            word: "the component year"
        ),
        Self(
            "no day of the week",
            schedule: daily("07:00", "08:00", days: []),
            field: "/days",
            word: "one to seven"
        ),
        Self(
            "day 8",
            schedule: daily("07:00", "08:00", days: [1, 8]),
            field: "/days",
            word: "1 (Sunday) to 7"
        ),
        Self(
            "eight days",
            schedule: daily("07:00", "08:00", days: [1, 1, 1, 1, 1, 1, 1, 1]),
            field: "/days",
            word: "one to seven"
        ),
        Self(
            "days and a weekday",
            schedule: Schedule(start: time("Mon 07:00"), end: time("Mon 08:00"), repeats: true, days: [2]),
            field: "/days",
            word: "already"
        ),
    ]
}
