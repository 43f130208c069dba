import STActivityCore
import STContracts
import Testing

@Suite("Use that is counted towards an event")
struct BookCountingTests {
    private static let day: Int64 = 24 * BookDesk.hour

    private func desk(_ minutes: Int = 10, warningMs: Int64? = nil) -> BookDesk {
        var desk = BookDesk()
        desk.watch(
            "day",
            BookDesk.daily(),
            [BookDesk.event("limit", ["game"], minutes)],
            warningMs: warningMs
        )
        return desk
    }

    @Test("counted use reaches the threshold at the very millisecond, and once per interval")
    func threshold() {
        var desk = desk()
        desk.use("game", 4 * BookDesk.minute + 1)
        desk.use("mail", 30 * BookDesk.minute)
        desk.use("game", 20 * BookDesk.minute)

        let crossing = desk.told.last
        #expect(crossing?.occasion == .thresholdReached)
        #expect(crossing?.dueWallMs == BookDesk.noon + 40 * BookDesk.minute)
        #expect(crossing?.evidence.countedMs == 10 * BookDesk.minute)
        #expect(crossing?.evidence.parts.map(\.ms) == [4 * BookDesk.minute + 1, 6 * BookDesk.minute - 1])
        #expect(desk["day"]?.events[0].usedMs == 24 * BookDesk.minute + 1)
        #expect(desk.told.count == 2)
    }

    @Test("counting begins anew in the next interval")
    func rearms() {
        var desk = desk()
        desk.use("game", 15 * BookDesk.minute)
        desk.pass(Self.day)
        #expect(desk["day"]?.events[0].usedMs == 0)
        desk.use("game", 15 * BookDesk.minute)

        #expect(desk.told.filter { $0.occasion == .thresholdReached }.count == 2)
    }

    @Test("the warning comes before the threshold, and at the beginning when it is longer than the threshold")
    func warning() {
        var desk = desk(10, warningMs: BookDesk.minute)
        desk.use("game", 15 * BookDesk.minute)
        #expect(desk.lines.dropFirst() == ["9 threshold_warning limit", "10 threshold_reached limit"])

        var long = self.desk(10, warningMs: BookDesk.hour)
        long.use("game", 15 * BookDesk.minute)
        #expect(long.lines.dropFirst() == ["0 threshold_warning limit", "10 threshold_reached limit"])
    }

    @Test("use counts in the interval only, to the millisecond")
    func border() {
        var desk = BookDesk()
        desk.watch("hour", BookDesk.daily((13, 0), (14, 0)), [BookDesk.event("limit", ["game"], 90)])
        desk.use("game", 4 * BookDesk.hour)

        #expect(desk["hour"]?.events[0].usedMs == BookDesk.hour)
        #expect(!desk.told.contains { $0.occasion == .thresholdReached })
    }

    @Test("use counts for one member, and only while they are there")
    func others() {
        var desk = desk()
        desk.use("game", 30 * BookDesk.minute, member: "guardian")
        desk.use("game", 30 * BookDesk.minute, presence: .idle)

        #expect(desk["day"]?.events[0].usedMs == 0)
    }

    @Test("setting the clock forward over midnight, or back, gives no fresh allowance")
    func steps() {
        var desk = desk()
        desk.use("game", 9 * BookDesk.minute)
        desk.step(Self.day)
        #expect(desk["day"]?.events[0].usedMs == 9 * BookDesk.minute)
        #expect(desk["day"]?.events[0].carriedMs == 9 * BookDesk.minute)
        desk.use("game", 2 * BookDesk.minute)
        #expect(desk.told.last?.occasion == .thresholdReached)

        desk.step(-Self.day)
        desk.use("game", 20 * BookDesk.minute)
        #expect(desk.told.filter { $0.occasion == .thresholdReached }.count == 1)
        #expect(desk["day"]?.events[0].usedMs == 31 * BookDesk.minute)

        // The midnight that comes by itself gives the new day its own.
        desk.pass(Self.day)
        #expect(desk["day"]?.events[0].usedMs == 0)
    }

    @Test("setting the clock back to before a past interval gives no fresh allowance")
    func backBeforeTheStart() {
        var desk = BookDesk()
        desk.watch("hour", BookDesk.daily((13, 0), (14, 0)), [BookDesk.event("limit", ["game"], 10)])
        desk.pass(BookDesk.hour)
        desk.use("game", 15 * BookDesk.minute)
        desk.pass(BookDesk.hour)
        desk.step(-2 * BookDesk.hour)
        desk.pass(BookDesk.hour)
        desk.use("game", 15 * BookDesk.minute)

        // The interval began again, and its app hears again that nothing is left.
        #expect(desk.told.filter { $0.occasion == .thresholdReached }.count == 2)
        #expect(desk.told.last?.occasion == .thresholdReached)
        #expect(desk["hour"]?.events[0].usedMs == 30 * BookDesk.minute)
    }

    @Test("moving to another zone gives no fresh allowance")
    func zones() {
        var desk = desk()
        desk.use("game", 9 * BookDesk.minute)
        for zone in ["Pacific/Kiritimati", "UTC", "Asia/Seoul", "America/New_York", "UTC"] {
            desk.travel(zone)
        }

        #expect(desk["day"]?.events[0].usedMs == 9 * BookDesk.minute)
    }

    @Test("counting goes on after a start of the machine")
    func restart() {
        var desk = desk()
        desk.use("game", 9 * BookDesk.minute)
        desk.restart(offFor: BookDesk.hour)
        desk.use("game", 2 * BookDesk.minute)

        #expect(desk.told.last?.occasion == .thresholdReached)
        #expect(desk.told.last?.dueWallMs == BookDesk.noon + 70 * BookDesk.minute)
    }

    @Test("the book asks for a report at the moment at which something becomes true")
    func checkAt() {
        let desk = desk(10, warningMs: 3 * BookDesk.minute)
        let open = Stretch(
            member: "child",
            segment: "open",
            presence: .active,
            app: "game",
            domain: nil,
            category: nil,
            bootId: "boot",
            fromBootMs: 1_000_000,
            toBootMs: 1_000_000,
            fromWallMs: BookDesk.noon
        )

        #expect(desk.book.checkAtBootMs(open) == 1_000_000 + 7 * BookDesk.minute)
    }

    // MARK: - Faults of phones

    @Test(
        "thresholds of an hour that wait to be told together come with its end, or before that of the interval"
    )
    func batched() throws {
        let events = [("one", 10), ("two", 20), ("three", 65)].map { BookDesk.event($0.0, ["game"], $0.1) }
        var desk = BookDesk()
        desk.watch("day", BookDesk.daily((0, 0), (13, 20)), events, faults: [.batchedThresholds])
        desk.use("game", 50 * BookDesk.minute)
        #expect(desk.told.count == 1)
        let kept = try #require(desk["day"])
        #expect(kept.held?.count == 2)
        #expect(try WatchedActivity.decodedBody(try kept.encodedBody()).held == kept.held)
        desk.pass(11 * BookDesk.minute)
        desk.use("game", 18 * BookDesk.minute)
        desk.pass(30 * BookDesk.minute)
        #expect(
            desk.lines.dropFirst() == [
                "10 threshold_reached one", "20 threshold_reached two", "76 threshold_reached three",
                "80 interval_ended day",
            ]
        )
    }

    @Test(
        "what reached its threshold comes once more at the next border alone, and its use is counted anew"
    )
    func midnight() {
        var desk = BookDesk()
        desk.watch(
            "day",
            BookDesk.daily(),
            [BookDesk.event("limit", ["game"], 10)],
            faults: [.midnightThresholds]
        )
        desk.use("game", 15 * BookDesk.minute)
        desk.pass(Self.day)
        desk.use("game", BookDesk.minute)
        #expect(desk["day"]?.events[0].usedMs == BookDesk.minute)
        desk.pass(2 * Self.day)
        #expect(desk.told.filter { $0.occasion == .thresholdReached }.count == 2)
    }

    @Test("what a person deletes is no longer in what waits to be told")
    func forgotten() {
        var desk = BookDesk()
        desk.watch(
            "day",
            BookDesk.daily(),
            [BookDesk.event("limit", ["game"], 10)],
            faults: [.batchedThresholds]
        )
        desk.use("game", 15 * BookDesk.minute)
        #expect(desk["day"]?.held?.first?.evidence.parts.isEmpty == false)
        desk.book.forget(segments: ["segment-1"], of: "child")
        #expect(desk["day"]?.held?.first?.evidence.parts.isEmpty == true)
    }
}
