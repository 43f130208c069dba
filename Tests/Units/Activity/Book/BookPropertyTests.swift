import STActivityCore
import STContracts
import STDomain
import STPlatform
import STTestSupport
import Testing

@Suite("Random usage of activities")
struct BookPropertyTests {
    private static let apps = ["game", "mail", "code", "film"]

    /// A period of usage in the reference.
    private struct Use {
        var app: String
        var from: Int64
        var to: Int64
    }

    @Test("Thresholds and warnings of 1,000 random activities match a simple reference")
    func crossings() {
        for seed in UInt64(0)..<1_000 {
            var random = SeededRandom(seed: seed)
            var desk = BookDesk(wallMs: BookDesk.noon + random.number(0...86_400_000))
            let warningMs: Int64? = random.chance(percent: 50) ? random.number(1...20) * BookDesk.minute : nil
            let schedule = BookDesk.daily(
                (Int(random.number(0...23)), Int(random.number(0...59))),
                (Int(random.number(0...23)), Int(random.number(0...59)))
            )
            let events = (0..<3).map { index in
                let chosen = Set(Self.apps.filter { _ in random.chance(percent: 50) })
                return BookDesk.event("e\(index)", apps: chosen, minutes: Int(random.number(1...180)))
            }
            let start = desk.moment.reading.wallMs
            desk.watch("a", schedule: schedule, events: events, warningMs: warningMs)
            var uses: [Use] = []
            for _ in 0..<Int(random.number(1...30)) {
                desk.pass(random.number(0...3_000_000))
                let app = Self.apps[Int(random.number(0...3))]
                let from = desk.moment.reading.wallMs
                desk.use(app, random.number(1...9_000_000))
                uses.append(Use(app: app, from: from, to: desk.moment.reading.wallMs))
            }
            let told = desk.told.filter { $0.event != nil }.map {
                "\($0.dueWallMs) \($0.event ?? "") \($0.occasion)"
            }
            let expected = Self.reference(
                schedule,
                events: events,
                warningMs: warningMs,
                uses: uses,
                from: start
            )
            #expect(told.sorted() == expected.sorted(), "seed \(seed)")
            if told.sorted() != expected.sorted() { return }
        }
    }

    /// Calculates the crossings of each event in each interval by adding the usage.
    private static func reference(
        _ schedule: Schedule,
        events: [WatchedEvent],
        warningMs: Int64?,
        uses: [Use],
        from: Int64
    ) -> [String] {
        var lines: [String] = []
        for interval in schedule.preview(count: 30, fromMs: from, zone: "UTC") {
            for event in events {
                var points = [(event.budget.thresholdMs, ActivityOccasion.thresholdReached)]
                if let warningMs {
                    points.append((max(0, event.budget.thresholdMs - warningMs), .thresholdWarning))
                }
                for (point, occasion) in points {
                    var sum: Int64 = 0
                    for use in uses
                    where event.budget.target.matches(app: use.app, category: nil, domain: nil) {
                        let start = max(use.from, interval.startMs, from)
                        let length = min(use.to, interval.endMs) - start
                        if length <= 0 { continue }
                        if sum + length >= point, start + (point - sum) < interval.endMs {
                            lines.append("\(start + point - sum) \(event.spec.name) \(occasion)")
                            break
                        }
                        sum += length
                    }
                }
            }
        }
        return lines
    }

    @Test(
        "Within a day, no change of the clock or zone changes the counted usage"
    )
    func nothingIsWonBack() {
        for seed in UInt64(0)..<1_000 {
            var random = SeededRandom(seed: seed)
            var desk = BookDesk()
            desk.watch(
                "day",
                schedule: BookDesk.daily(),
                events: [BookDesk.event("limit", apps: ["game"], minutes: 60)]
            )
            var used: Int64 = 0
            // The total time is shorter than the time until the next midnight in any of these zones.
            for _ in 0..<Int(random.number(1...20)) {
                let ms: Int64 = random.number(1...60_000)
                switch random.number(0...5) {
                case 0: desk.step(random.number(-200_000_000...200_000_000))
                case 1:
                    desk.travel(
                        ["Asia/Seoul", "America/New_York", "Pacific/Auckland", "UTC"][
                            Int(random.number(0...3))
                        ]
                    )
                case 2: desk.use("mail", ms)
                default:
                    desk.use("game", ms)
                    used += ms
                }
                // Only a midnight that is reached without a clock change starts a new day.
                let isNewDay = desk.told.contains {
                    $0.occasion == .intervalStarted && $0.evidence.note == nil
                        && $0.dueWallMs != BookDesk.noon
                }
                if isNewDay { break }
                #expect(desk["day"]?.events[0].used.ms == used, "seed \(seed)")
                if desk["day"]?.events[0].used.ms != used { return }
            }
        }
    }
}
