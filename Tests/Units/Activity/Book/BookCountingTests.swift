import STActivityCore
import STContracts
import STPlatform
import Testing

@Suite("Usage that counts towards an event")
struct BookCountingTests {
    private static let day: Int64 = 24 * BookDesk.hour

    private func desk(_ minutes: Int = 10, warningMs: Int64? = nil) -> BookDesk {
        var desk = BookDesk()
        desk.watch(
            "day",
            schedule: BookDesk.daily(),
            events: [BookDesk.event("limit", apps: ["game"], minutes: minutes)],
            warningMs: warningMs
        )
        return desk
    }

    @Test("Counted usage reaches the threshold at the exact millisecond, once per interval")
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
        #expect(desk["day"]?.events[0].used.ms == 24 * BookDesk.minute + 1)
        #expect(desk.told.count == 2)
    }

    @Test("Each interval counts from zero")
    func rearms() {
        var desk = desk()
        desk.use("game", 15 * BookDesk.minute)
        desk.pass(Self.day)
        #expect(desk["day"]?.events[0].used.ms == 0)
        desk.use("game", 15 * BookDesk.minute)

        #expect(desk.told.filter { $0.occasion == .thresholdReached }.count == 2)
    }

    @Test("A warning precedes its threshold, or comes at the first usage if it is longer than the threshold")
    func warning() {
        var desk = desk(10, warningMs: BookDesk.minute)
        desk.use("game", 15 * BookDesk.minute)
        #expect(desk.lines.dropFirst() == ["9 threshold_warning limit", "10 threshold_reached limit"])

        var long = self.desk(10, warningMs: BookDesk.hour)
        long.use("game", 15 * BookDesk.minute)
        #expect(long.lines.dropFirst() == ["0 threshold_warning limit", "10 threshold_reached limit"])
    }

    @Test("Usage counts only within the interval, to the millisecond")
    func border() {
        var desk = BookDesk()
        desk.watch(
            "hour",
            schedule: BookDesk.daily((13, 0), (14, 0)),
            events: [BookDesk.event("limit", apps: ["game"], minutes: 90)]
        )
        desk.use("game", 4 * BookDesk.hour)

        #expect(desk["hour"]?.events[0].used.ms == BookDesk.hour)
        #expect(!desk.told.contains { $0.occasion == .thresholdReached })
    }

    @Test("Usage counts only for its member, and only while the member is active")
    func others() {
        var desk = desk()
        desk.use("game", 30 * BookDesk.minute, member: "guardian")
        desk.use("game", 30 * BookDesk.minute, presence: .idle)

        #expect(desk["day"]?.events[0].used.ms == 0)
    }

    @Test("Setting the clock over midnight and back gives no new allowance")
    func steps() {
        var desk = desk()
        desk.use("game", 9 * BookDesk.minute)
        desk.step(Self.day)
        #expect(desk["day"]?.events[0].used.ms == 9 * BookDesk.minute)
        #expect(desk["day"]?.events[0].carried.ms == 9 * BookDesk.minute)
        desk.use("game", 2 * BookDesk.minute)
        #expect(desk.told.last?.occasion == .thresholdReached)

        desk.step(-Self.day)
        desk.use("game", 20 * BookDesk.minute)
        #expect(desk.told.filter { $0.occasion == .thresholdReached }.count == 1)
        #expect(desk["day"]?.events[0].used.ms == 31 * BookDesk.minute)

        // A midnight that is reached without a clock change starts a new allowance.
        desk.pass(Self.day)
        #expect(desk["day"]?.events[0].used.ms == 0)
    }

    @Test("Setting the clock back before a past interval gives no new allowance")
    func backBeforeTheStart() {
        var desk = BookDesk()
        desk.watch(
            "hour",
            schedule: BookDesk.daily((13, 0), (14, 0)),
            events: [BookDesk.event("limit", apps: ["game"], minutes: 10)]
        )
        desk.pass(BookDesk.hour)
        desk.use("game", 15 * BookDesk.minute)
        desk.pass(BookDesk.hour)
        desk.step(-2 * BookDesk.hour)
        desk.pass(BookDesk.hour)
        desk.use("game", 15 * BookDesk.minute)

        // The interval started again, so the threshold is announced again.
        #expect(desk.told.filter { $0.occasion == .thresholdReached }.count == 2)
        #expect(desk.told.last?.occasion == .thresholdReached)
        #expect(desk["hour"]?.events[0].used.ms == 30 * BookDesk.minute)
    }

    @Test("Changing the time zone gives no new allowance")
    func zones() {
        var desk = desk()
        desk.use("game", 9 * BookDesk.minute)
        for zone in ["Pacific/Kiritimati", "UTC", "Asia/Seoul", "America/New_York", "UTC"] {
            desk.travel(zone)
        }

        #expect(desk["day"]?.events[0].used.ms == 9 * BookDesk.minute)
    }

    @Test("Counting continues after a restart of the machine")
    func restart() {
        var desk = desk()
        desk.use("game", 9 * BookDesk.minute)
        desk.restart(offFor: BookDesk.hour)
        desk.use("game", 2 * BookDesk.minute)

        #expect(desk.told.last?.occasion == .thresholdReached)
        #expect(desk.told.last?.dueWallMs == BookDesk.noon + 70 * BookDesk.minute)
    }

    @Test("The next report is requested for the moment of the warning")
    func checkAt() {
        let desk = desk(10, warningMs: 3 * BookDesk.minute)
        let open = UsageInterval(
            member: "child",
            segment: "open",
            presence: .active,
            app: "game",
            domain: nil,
            category: nil,
            bootId: "boot",
            fromBoot: BootTime(ms: 1_000_000),
            toBoot: BootTime(ms: 1_000_000),
            fromWall: WallTime(ms: BookDesk.noon)
        )

        #expect(desk.book.checkTime(open)?.ms == 1_000_000 + 7 * BookDesk.minute)
    }

    // MARK: - Faults of phones

    @Test(
        "Batched thresholds are announced after their hour, or before the end of the interval"
    )
    func batched() throws {
        let events = [("one", 10), ("two", 20), ("three", 65)].map {
            BookDesk.event($0.0, apps: ["game"], minutes: $0.1)
        }
        var desk = BookDesk()
        desk.watch(
            "day",
            schedule: BookDesk.daily((0, 0), (13, 20)),
            events: events,
            faults: [.batchedThresholds]
        )
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
        "With the midnight fault, a reached threshold is announced again at the next midnight only"
    )
    func midnight() {
        var desk = BookDesk()
        desk.watch(
            "day",
            schedule: BookDesk.daily(),
            events: [BookDesk.event("limit", apps: ["game"], minutes: 10)],
            faults: [.midnightThresholds]
        )
        desk.use("game", 15 * BookDesk.minute)
        desk.pass(Self.day)
        desk.use("game", BookDesk.minute)
        #expect(desk["day"]?.events[0].used.ms == BookDesk.minute)
        desk.pass(2 * Self.day)
        #expect(desk.told.filter { $0.occasion == .thresholdReached }.count == 2)
    }

    @Test("Deleted usage is removed from the evidence of held announcements")
    func forgotten() {
        var desk = BookDesk()
        desk.watch(
            "day",
            schedule: BookDesk.daily(),
            events: [BookDesk.event("limit", apps: ["game"], minutes: 10)],
            faults: [.batchedThresholds]
        )
        desk.use("game", 15 * BookDesk.minute)
        #expect(desk["day"]?.held?.first?.evidence.parts.isEmpty == false)
        desk.book.removeEvidence(segments: ["segment-1"], of: "child")
        #expect(desk["day"]?.held?.first?.evidence.parts.isEmpty == true)
    }
}
