import STActivityCore
import STContracts
import STPlatform
import Testing

@Suite("Intervals of activities")
struct BookTimeTests {
    private static let day: Int64 = 24 * BookDesk.hour

    @Test("Intervals begin and end at their exact moments, an end before a start at the same moment")
    func daily() {
        var desk = BookDesk()
        desk.watch("day", schedule: BookDesk.daily())
        desk.pass(Self.day)

        #expect(
            desk.lines == ["0 interval_started day", "720 interval_ended day", "720 interval_started day"]
        )
    }

    @Test("At a shared moment, the ends of all intervals are announced before the starts")
    func sharedBorder() {
        var desk = BookDesk()
        desk.watch("b", schedule: BookDesk.daily((14, 0), (15, 0)))
        desk.watch("a", schedule: BookDesk.daily((13, 0), (14, 0)))
        desk.pass(4 * BookDesk.hour)

        #expect(
            desk.lines == [
                "60 interval_started a", "120 interval_ended a", "120 interval_started b",
                "180 interval_ended b",
            ]
        )
    }

    @Test("An interval has warnings if the activity has a warning time")
    func warnings() {
        var desk = BookDesk()
        desk.watch("work", schedule: BookDesk.daily((13, 0), (14, 0)), warningMs: 5 * BookDesk.minute)
        desk.pass(3 * BookDesk.hour)

        #expect(
            desk.lines == [
                "55 interval_will_start work", "60 interval_started work", "115 interval_will_end work",
                "120 interval_ended work",
            ]
        )
    }

    @Test("An activity that does not repeat is over after its first interval")
    func once() {
        var desk = BookDesk()
        desk.watch("once", schedule: BookDesk.daily((13, 0), (14, 0), repeats: false))
        desk.pass(2 * Self.day)

        #expect(desk.lines == ["60 interval_started once", "120 interval_ended once"])
        #expect(desk["once"]?.isFinished == true)
    }

    @Test("Intervals that passed while nothing ran are not announced, and the current one is")
    func longAway() {
        var desk = BookDesk()
        desk.watch("work", schedule: BookDesk.daily((13, 0), (14, 0)))
        desk.restart(offFor: 3 * Self.day + 90 * BookDesk.minute)

        #expect(desk.lines == ["\(3 * 1440 + 60) interval_started work"])
    }

    @Test("In first-use mode an interval is announced at its first usage, and not without usage")
    func firstUse() {
        var desk = BookDesk()
        desk.watch("work", schedule: BookDesk.daily((13, 0), (14, 0)), mode: .firstUse)
        desk.pass(70 * BookDesk.minute)
        #expect(desk.lines.isEmpty)

        desk.use("game", BookDesk.minute)
        desk.pass(60 * BookDesk.minute)
        desk.use("game", BookDesk.minute)
        #expect(desk.lines == ["70 interval_started work", "131 interval_ended work"])

        desk.pass(2 * Self.day)
        #expect(desk.lines.count == 2)
    }

    @Test("An interval ends at its time of day in the machine's new zone")
    func travel() {
        var desk = BookDesk(zone: "UTC")
        desk.watch("work", schedule: BookDesk.daily((9, 0), (14, 0)))
        desk.travel("America/New_York")
        desk.pass(8 * BookDesk.hour)

        // 14:00 in New York is 19:00 UTC.
        #expect(desk.lines == ["0 interval_started work", "420 interval_ended work"])
    }

    @Test("An interval ends immediately in a zone where its end has already passed")
    func travelEast() {
        var desk = BookDesk(zone: "UTC")
        desk.watch("work", schedule: BookDesk.daily((9, 0), (14, 0)))
        desk.pass(30 * BookDesk.minute)
        desk.travel("Asia/Seoul")

        #expect(desk.lines == ["0 interval_started work", "30 interval_ended work"])
    }

    @Test(
        "After a zone change, a day ends at the new midnight and the next one has a new allowance",
        arguments: [
            ("Europe/London", "Europe/Berlin"), ("Asia/Kathmandu", "Asia/Dhaka"), ("UTC", "Europe/London"),
            ("America/New_York", "Europe/London"), ("Europe/Berlin", "Asia/Tokyo"),
            ("Asia/Tokyo", "Pacific/Honolulu"),
        ]
    )
    func movedDay(from: String, to: String) {
        var desk = BookDesk(zone: from)
        desk.watch(
            "day",
            schedule: BookDesk.daily(),
            events: [BookDesk.event("limit", apps: ["game"], minutes: 60)]
        )
        desk.use("game", BookDesk.hour)
        desk.travel(to)
        for _ in 0..<3 {
            desk.pass(Self.day)
            let starts = desk.told.filter { $0.occasion == .intervalStarted }.map(\.dueWallMs)
            let ends = desk.told.filter { $0.occasion == .intervalEnded }.map(\.dueWallMs)
            #expect(ends == Array(starts.dropFirst()))
            #expect(desk["day"]?.events[0].used.ms == 0)
            desk.use("game", BookDesk.hour)
        }
    }

    @Test(
        "A zone change delays the next allowance until 23 hours after the last one"
    )
    func spacing() {
        var desk = BookDesk(zone: "UTC")
        desk.watch(
            "day",
            schedule: BookDesk.daily(),
            events: [BookDesk.event("limit", apps: ["game"], minutes: 60)]
        )
        desk.use("game", BookDesk.hour)
        desk.travel("Asia/Tokyo")
        desk.pass(Self.day)

        // Midnight in Tokyo is 15:00 UTC. The allowance of that day began at 00:00 UTC.
        #expect(
            desk.lines == [
                "0 interval_started day", "60 threshold_reached limit", "180 interval_ended day",
                "180 interval_started day", "180 threshold_reached limit", "660 interval_ended day",
                "660 interval_started day",
            ]
        )
    }
}
