import STDomain
import STPlatform
import Testing

@Suite("Previews of schedules")
struct SchedulePreviewTests {
    @Test("A preview lists the next intervals with their lengths and clock changes")
    func lines() {
        let preview = SchedulePreview(
            daily("22:00", "07:00"),
            count: 3,
            fromMs: at("2026-10-23 23:00", "Europe/Berlin"),
            zone: "Europe/Berlin"
        )
        let spring = SchedulePreview(
            daily("00:00", "12:00", days: [1]),
            count: 1,
            fromMs: at("2026-03-28 12:00", "Europe/Berlin"),
            zone: "Europe/Berlin"
        )

        #expect(
            preview.lines == [
                "Fri 23 Oct 22:00 to Sat 24 Oct 07:00 (9 h)",
                "Sat 24 Oct 22:00 to Sun 25 Oct 07:00 (10 h: the clocks go back by 1 h)",
                "Sun 25 Oct 22:00 to Mon 26 Oct 07:00 (9 h)",
            ]
        )
        #expect(spring.lines == ["Sun 29 Mar 00:00 to Sun 29 Mar 12:00 (11 h: the clocks go forward by 1 h)"])
        #expect(preview.note == nil)
    }

    @Test("A preview shows the year of a moment in another year")
    func years() {
        let preview = SchedulePreview(
            daily("22:00", "07:00"),
            count: 2,
            fromMs: at("2026-12-30 23:00"),
            zone: "UTC"
        )

        #expect(
            preview.lines == [
                "Wed 30 Dec 22:00 to Thu 31 Dec 07:00 (9 h)",
                "Thu 31 Dec 22:00 to Fri 1 Jan 2027 07:00 (9 h)",
            ]
        )
    }

    @Test("A preview has a maximum number of intervals")
    func limit() {
        let all = daily("22:00", "07:00").preview(count: .max, fromMs: 0, zone: "UTC")

        #expect(all.count == Schedule.previewMax)
    }

    @Test("A schedule that covers almost a whole day, week or hour has a note about the rest")
    func unwatched() {
        #expect(
            daily("00:00:00", "23:59:59").unwatched?.english
                == "00:00 to 23:59:59 leaves 1 s of each day unmonitored. To monitor the whole day, "
                + "end at 00:00:00."
        )
        #expect(daily("00:00", "23:59").unwatchedGap == .milliseconds(60_000))
        #expect(daily("06:30", "06:29").unwatched?.english.hasSuffix("end at 06:30:00.") == true)
        #expect(
            Schedule(start: time("Mon 00:00"), end: time("Sun 23:59:59"), repeats: true).unwatched?.english
                == "Mon 00:00 to Sun 23:59:59 leaves 1 s of each week unmonitored. To monitor the whole week, "
                + "end at Mon 00:00:00."
        )
        #expect(
            Schedule(start: DateFields(minute: 0), end: DateFields(minute: 59), repeats: true).unwatched?
                .english
                == "xx:00 to xx:59 leaves 1 min of each hour unmonitored. To monitor the whole hour, "
                + "end at xx:00:00."
        )
    }

    @Test("A schedule that leaves out much or nothing, or does not repeat, has no note about the rest")
    func meant() {
        #expect(daily("22:00", "07:00").unwatched == nil)
        #expect(daily("22:00", "07:00").unwatchedGap == .milliseconds(54_000_000))
        #expect(daily("00:00", "00:00").unwatchedGap == nil)
        #expect(Schedule(start: time("00:00"), end: time("23:59"), repeats: false).unwatched == nil)
        #expect(Schedule(start: DateFields(), end: time("23:59"), repeats: true).unwatched == nil)
    }
}
