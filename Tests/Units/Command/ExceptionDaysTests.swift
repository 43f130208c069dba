import STCommandCore
import STPlatform
import STTestSupport
import Testing

@Suite("Days of exception")
struct ExceptionDaysTests {
    private static let today = CivilDate(year: 2026, month: 12, day: 20)

    private func read(_ text: String) throws -> [String] {
        try ExceptionDays.read(text, today: Self.today, "screentime rule except")
    }

    @Test(
        "Exception dates are read from single dates and ranges, and past dates are omitted",
        arguments: [
            ("2026-12-25", ["2026-12-25"]), ("0", []), ("2026-12-20,2026-12-20", ["2026-12-20"]),
            ("2026-12-18..2026-12-21", ["2026-12-20", "2026-12-21"]),
            ("2026-12-31..2027-01-01,2026-12-25", ["2026-12-25", "2026-12-31", "2027-01-01"]),
        ]
    )
    func dates(_ text: String, _ days: [String]) throws { #expect(try read(text) == days) }

    @Test(
        "Invalid, past or too many exception dates are rejected with an example command",
        arguments: [
            "", "25.12.", "2026-12-25,", "2026-02-30", "2026-12-25..", "2026-12-26..2026-12-25", "2025-12-25",
            "2026-12-24..2029-01-01", "2026-12-21..2027-12-01", "..", ",",
        ]
    )
    func refused(_ text: String) throws {
        let problem = try #require(throws: Problem.self) { try read(text) }
        #expect(
            ["usage.bad_dates", "usage.past_dates"].contains(problem.code)
                && problem.help?.hasPrefix("screentime rule except ") == true,
            "\(problem)"
        )
    }

    private static let holidays = """
        BEGIN:VCALENDAR\r
        BEGIN:VEVENT\r
        DTSTART;VALUE=DATE:20261225\r
        DTEND;VALUE=DATE:20261227\r
        SUMMARY:Christmas: two day\r
         s\r
        END:VEVENT\r
        BEGIN:VEVENT\r
        DTSTART;VALUE=DATE:20200101\r
        RRULE:FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1\r
        END:VEVENT\r
        BEGIN:VEVENT\r
        DTSTART;VALUE=DATE:20270201\r
        DURATION:P1W\r
        END:VEVENT\r
        BEGIN:VEVENT\r
        DTSTART:20270310T100000Z\r
        END:VEVENT\r
        BEGIN:VEVENT\r
        DTSTART;VALUE=DATE:20270320\r
        RRULE:FREQ=WEEKLY\r
        END:VEVENT\r
        BEGIN:VEVENT\r
        DTSTART;VALUE=DATE:20270401\r
        STATUS:CANCELLED\r
        END:VEVENT\r
        BEGIN:VEVENT\r
        DTSTART;VALUE=DATE:20200501\r
        RRULE:FREQ=YEARLY;UNTIL=20260501\r
        END:VEVENT\r
        END:VCALENDAR\r
        """

    @Test("The exception dates of a calendar file are its all-day events, including yearly ones")
    func calendar() throws {
        let days = CalendarFile.days(Array(Self.holidays.utf8), from: Self.today).map(\.text).sorted()

        #expect(
            days == [
                "2026-12-25", "2026-12-26", "2027-01-01", "2027-02-01", "2027-02-02", "2027-02-03",
                "2027-02-04",
                "2027-02-05", "2027-02-06", "2027-02-07", "2028-01-01",
            ]
        )
        let scratch = try ScratchDirectory()
        try scratch.write(Self.holidays, to: "holidays.ics")
        #expect(try read(scratch.file("holidays.ics")) == days)
        try scratch.write("no calendar", to: "empty.ics")
        #expect(throws: Problem.self) { try read(scratch.file("empty.ics")) }
        #expect(throws: Problem.self) { try read(scratch.file("absent.ics")) }
    }

    @Test(
        "The dates of a damaged calendar file are valid, not in the past and limited in number",
        arguments: 1...300
    )
    func damaged(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var bytes = Array(Self.holidays.utf8)
        for _ in 0..<random.number(1...12) {
            let place = random.number(0...(bytes.count - 1))
            switch random.number(0...3) {
            case 0: bytes[place] = UInt8(random.number(0...255))
            case 1: bytes.removeSubrange(place..<min(bytes.count, place + random.number(1...40)))
            case 2: bytes.insert(contentsOf: Array("9223372036854775807".utf8), at: place)
            default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 80)], at: place)
            }
            if bytes.isEmpty { bytes = [0] }
        }

        let days = CalendarFile.days(bytes, from: Self.today)

        #expect(days.count <= 5_000)
        #expect(
            days.allSatisfy {
                $0.text >= Self.today.text && $0.year <= 2028 && CivilDate(text: $0.text) != nil
            }
        )
    }
}
