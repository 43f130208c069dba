import STDomain
import Testing

@Suite("Intervals of schedules")
struct ScheduleTests {
    private let berlin = "Europe/Berlin"

    private func span(_ schedule: Schedule, now: String, zone: String = "Europe/Berlin") -> String? {
        schedule.interval(atOrAfter: at(now, zone), zone: zone)?.text(nowMs: at(now, zone))
    }

    @Test("A schedule returns the current interval, or else the next one")
    func current() {
        let night = daily("22:00", "07:00")

        #expect(span(night, now: "2026-11-20 12:00") == "Fri 20 Nov 22:00 to Sat 21 Nov 07:00")
        #expect(span(night, now: "2026-11-20 22:00") == "Fri 20 Nov 22:00 to Sat 21 Nov 07:00")
        #expect(span(night, now: "2026-11-21 06:59") == "Fri 20 Nov 22:00 to Sat 21 Nov 07:00")
        #expect(span(night, now: "2026-11-21 07:00") == "Sat 21 Nov 22:00 to Sun 22 Nov 07:00")
    }

    @Test("Equal start and end times give 24 hours, and an end at 00:00 is the end of the day")
    func wholeDay() {
        #expect(
            span(daily("09:00", "09:00"), now: "2026-11-20 08:00") == "Thu 19 Nov 09:00 to Fri 20 Nov 09:00"
        )
        #expect(
            span(daily("00:00:00", "00:00:00"), now: "2026-11-20 08:00")
                == "Fri 20 Nov 00:00 to Sat 21 Nov 00:00"
        )
        #expect(
            span(daily("22:00", "00:00"), now: "2026-11-20 08:00") == "Fri 20 Nov 22:00 to Sat 21 Nov 00:00"
        )
        #expect(
            span(daily("00:00:00", "23:59:59"), now: "2026-11-20 08:00")
                == "Fri 20 Nov 00:00 to Fri 20 Nov 23:59:59"
        )
    }

    @Test("A day of 23 or 25 hours is one interval")
    func longDays() {
        let day = daily("00:00", "00:00")
        let spring = day.interval(atOrAfter: at("2026-03-29 12:00", berlin), zone: berlin)
        let autumn = day.interval(atOrAfter: at("2026-10-25 12:00", berlin), zone: berlin)

        #expect(spring?.durationMs == 82_800_000)
        #expect(autumn?.durationMs == 90_000_000)
    }

    @Test("A time that the clock skips moves forward by the length of the gap")
    func spring() {
        let before = "2026-03-28 12:00"

        #expect(span(daily("02:30", "05:00"), now: before) == "Sun 29 Mar 03:30 to Sun 29 Mar 05:00")
        #expect(span(daily("01:00", "02:30"), now: before) == "Sun 29 Mar 01:00 to Sun 29 Mar 03:30")
        #expect(span(daily("02:00", "02:30"), now: before) == "Sun 29 Mar 03:00 to Sun 29 Mar 03:30")
        #expect(
            span(daily("02:15", "06:00"), now: "2026-10-03 12:00", zone: "Australia/Lord_Howe")
                == "Sun 4 Oct 02:45 to Sun 4 Oct 06:00"
        )
        #expect(
            span(daily("00:00", "06:00"), now: "2017-10-14 12:00", zone: "America/Sao_Paulo")
                == "Sun 15 Oct 01:00 to Sun 15 Oct 06:00"
        )
    }

    @Test("An interval whose whole time is skipped is left out")
    func leftOut() {
        #expect(
            span(daily("02:00", "03:00"), now: "2026-03-28 12:00") == "Mon 30 Mar 02:00 to Mon 30 Mar 03:00"
        )
        #expect(
            span(daily("02:30", "03:15"), now: "2026-03-28 12:00") == "Mon 30 Mar 02:30 to Mon 30 Mar 03:15"
        )
        #expect(
            once("2026-03-29 02:00", "2026-03-29 03:00").interval(atOrAfter: 0, zone: berlin) == nil
        )
    }

    @Test("A skipped end time does not extend an interval into the next one")
    func noOverlap() {
        let schedule = daily("03:00", "02:30")
        let first = schedule.interval(atOrAfter: at("2026-03-28 12:00", berlin), zone: berlin)
        let second = first.flatMap { schedule.next(after: $0) }

        #expect(first?.text() == "Sat 28 Mar 2026 03:00 to Sun 29 Mar 2026 03:00")
        #expect(second?.text() == "Sun 29 Mar 2026 03:00 to Mon 30 Mar 2026 02:30")
    }

    @Test("An interval starts and ends at the first occurrence of a repeated clock time")
    func autumn() {
        let found = daily("02:30", "06:00").interval(atOrAfter: at("2026-10-24 12:00", berlin), zone: berlin)
        let inside = daily("02:00", "02:30").interval(atOrAfter: at("2026-10-25 01:10"), zone: berlin)

        #expect(
            found == Interval(startMs: at("2026-10-25 00:30"), endMs: at("2026-10-25 05:00"), zone: berlin)
        )
        // During the second of the two hours, those 30 minutes are over.
        #expect(inside?.text() == "Mon 26 Oct 2026 02:00 to Mon 26 Oct 2026 02:30")
    }

    @Test("A timer set during a repeated hour ends in its second pass")
    func timer() {
        let found = once("2026-10-25 02:50", "2026-10-25 02:06").interval(
            atOrAfter: at("2026-10-25 01:05"),
            zone: berlin
        )

        #expect(
            found == Interval(startMs: at("2026-10-25 00:50"), endMs: at("2026-10-25 01:06"), zone: berlin)
        )
    }

    @Test("A skipped calendar day has no interval, and an interval that ends after it keeps its length")
    func apia() {
        let friday = Schedule(start: time("Fri 10:00"), end: time("Fri 17:00"), repeats: true)
        let night = daily("22:00", "07:00").interval(
            atOrAfter: at("2011-12-29 20:00", "Pacific/Apia"),
            zone: "Pacific/Apia"
        )

        #expect(
            span(friday, now: "2011-12-29 12:00", zone: "Pacific/Apia")
                == "Fri 6 Jan 2012 10:00 to Fri 6 Jan 2012 17:00"
        )
        #expect(night?.durationMs == 32_400_000)
        #expect(night?.text() == "Thu 29 Dec 2011 22:00 to Sat 31 Dec 2011 07:00")
    }

    @Test("Start and end with weekdays give one interval per week")
    func weekly() {
        let school = Schedule(start: time("Mon 08:00"), end: time("Fri 16:00"), repeats: true)
        let whole = Schedule(start: time("Mon 08:00"), end: time("Mon 08:00"), repeats: true)

        #expect(span(school, now: "2026-11-18 12:00") == "Mon 16 Nov 08:00 to Fri 20 Nov 16:00")
        #expect(span(school, now: "2026-11-20 16:00") == "Mon 23 Nov 08:00 to Fri 27 Nov 16:00")
        #expect(span(whole, now: "2026-11-20 16:00") == "Mon 16 Nov 08:00 to Mon 23 Nov 08:00")
    }

    @Test("The days of a schedule select the weekdays on which its intervals begin")
    func days() {
        let schoolNights = daily("22:00", "07:00", days: [1, 2, 3, 4, 5])

        #expect(span(schoolNights, now: "2026-11-20 21:00") == "Sun 22 Nov 22:00 to Mon 23 Nov 07:00")
        #expect(span(schoolNights, now: "2026-11-20 06:00") == "Thu 19 Nov 22:00 to Fri 20 Nov 07:00")
        #expect(
            span(daily("09:00", "09:00", days: [7]), now: "2026-11-20 06:00")
                == "Sat 21 Nov 09:00 to Sun 22 Nov 09:00"
        )
    }

    @Test("A schedule with minutes and no hour repeats every hour")
    func hourly() {
        let schedule = Schedule(start: DateFields(minute: 0), end: DateFields(minute: 45), repeats: true)

        #expect(span(schedule, now: "2026-11-20 12:50") == "Fri 20 Nov 13:00 to Fri 20 Nov 13:45")
    }

    @Test("Full dates give one interval, also if it has already begun")
    func dates() {
        let past = once("2026-11-20 11:45", "2026-11-20 12:01")

        #expect(span(past, now: "2026-11-20 12:00") == "Fri 20 Nov 11:45 to Fri 20 Nov 12:01")
        #expect(span(past, now: "2026-11-20 12:01") == nil)
        #expect(
            span(once("2026-11-20", "2026-11-21"), now: "2026-11-01 12:00")
                == "Fri 20 Nov 00:00 to Sat 21 Nov 00:00"
        )
    }

    @Test("A date without a year is its next occurrence")
    func yearly() {
        let eve = Schedule(
            start: DateFields(month: 12, day: 24, hour: 9),
            end: DateFields(month: 12, day: 26, hour: 9),
            repeats: false
        )
        let leap = Schedule(
            start: DateFields(month: 2, day: 29, hour: 9),
            end: DateFields(month: 2, day: 29, hour: 10),
            repeats: false
        )

        #expect(span(eve, now: "2026-12-27 12:00") == "Fri 24 Dec 2027 09:00 to Sun 26 Dec 2027 09:00")
        #expect(span(leap, now: "2027-03-02 12:00") == "Tue 29 Feb 2028 09:00 to Tue 29 Feb 2028 10:00")
        #expect(span(leap, now: "2026-02-10 12:00") == "Sun 1 Mar 09:00 to Sun 1 Mar 10:00")
    }

    @Test("The zone of the components overrides the zone of the device")
    func zones() {
        var start = time("22:00")
        start.zone = "Asia/Seoul"
        let schedule = Schedule(start: start, end: time("07:00"), repeats: true)
        let found = schedule.interval(atOrAfter: at("2026-11-20 00:00"), zone: berlin)

        #expect(
            found
                == Interval(
                    startMs: at("2026-11-20 13:00"),
                    endMs: at("2026-11-20 22:00"),
                    zone: "Asia/Seoul"
                )
        )
        #expect(found.map { schedule.end(of: $0, movedTo: "Asia/Tokyo") } == found?.endMs)
    }

    @Test("After a zone change, an interval ends at the new zone's local time, but not before its start")
    func moves() throws {
        let night = daily("22:00", "07:00")
        let found = try #require(night.interval(atOrAfter: at("2026-11-20 22:30", berlin), zone: berlin))

        #expect(
            night.end(of: found, movedTo: "America/New_York") == at("2026-11-21 07:00", "America/New_York")
        )
        #expect(night.end(of: found, movedTo: "Asia/Seoul") == at("2026-11-21 07:00", "Asia/Seoul"))
        #expect(night.end(of: found, movedTo: "Europe/Atlantis") == found.endMs)
        let short = try #require(daily("12:00", "12:15").interval(atOrAfter: found.endMs, zone: berlin))
        #expect(daily("12:00", "12:15").end(of: short, movedTo: "Asia/Seoul") == short.startMs)
    }

    @Test("A non-repeating schedule has no next interval, and a repeating one has one in any zone")
    func after() throws {
        let night = daily("22:00", "07:00")
        let found = try #require(night.interval(atOrAfter: at("2026-11-20 12:00", berlin), zone: berlin))
        let single = Schedule(start: night.start, end: night.end, repeats: false)

        #expect(single.next(after: found) == nil)
        #expect(single.preview(count: 5, fromMs: found.startMs, zone: berlin) == [found])
        #expect(night.next(after: found)?.startMs == at("2026-11-21 22:00", berlin))
        #expect(night.next(after: found, zone: "Asia/Seoul")?.startMs == at("2026-11-21 22:00", "Asia/Seoul"))
    }

    @Test(
        "Schedules at extreme moments are computed without a trap",
        arguments: [Int64.min, -3_000_000_000_000, 0, 7_258_118_399_999, 7_258_118_400_000, .max]
    )
    func extremes(now: Int64) {
        let schedule = daily("22:00", "07:00")
        let far = Interval(startMs: now, endMs: now, zone: berlin)

        #expect(schedule.interval(atOrAfter: now, zone: berlin).map { $0.endMs > now } ?? true)
        _ = schedule.next(after: far)
        _ = schedule.end(of: far, movedTo: "Asia/Seoul")
        _ = far.text(nowMs: now)
        #expect(schedule.preview(count: -1, fromMs: now, zone: berlin).isEmpty)
    }
}
