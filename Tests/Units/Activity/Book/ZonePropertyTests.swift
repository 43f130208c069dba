import STActivityCore
import STContracts
import STDomain
import STPlatform
import STTestSupport
import Testing

/// A person with a limit who uses an app whenever possible, and changes the time zone and the clock.
private struct Traveller {
    static let name = "limit"
    static let zones = [
        "UTC", "Europe/London", "Europe/Berlin", "Asia/Kathmandu", "Asia/Dhaka", "Asia/Tokyo",
        "Pacific/Kiritimati",
        "Pacific/Honolulu", "Pacific/Apia", "America/St_Johns", "America/New_York", "Australia/Lord_Howe",
    ]

    let schedule: Schedule
    let thresholdMs: Int64
    let setsClock: Bool
    var desk: BookDesk
    private(set) var isShut = false
    private(set) var isInside = false
    /// The usage within intervals, in boot time.
    private(set) var allowed: [(from: Int64, to: Int64)] = []
    private(set) var longestShutMs: Int64 = 0
    private var shutSinceMs: Int64?
    private var heard = 0

    init(_ random: inout SeededRandom) {
        var first = BookDesk.daily(
            (Int(random.number(0...23)), Int(random.number(0...59))),
            (Int(random.number(0...23)), Int(random.number(0...59)))
        )
        switch random.number(0...3) {
        case 0, 1: first = BookDesk.daily()
        case 2:
            first.start.weekday = Int(random.number(1...7))
            first.end.weekday = Int(random.number(1...7))
        default: break
        }
        schedule = first
        setsClock = random.chance(percent: 30)
        let minutes: Int64 = random.number(5...180)
        thresholdMs = minutes * BookDesk.minute
        // From July 2026 to June 2027. The clocks of most of these zones change in that time.
        desk = BookDesk(
            wallMs: BookDesk.noon + random.number(-2_900...4_600) * BookDesk.hour,
            zone: Self.zones[Int(random.number(0...Int64(Self.zones.count - 1)))]
        )
        desk.watch(
            Self.name,
            schedule: schedule,
            events: [BookDesk.event("used up", apps: ["game"], minutes: Int(minutes))]
        )
        hear()
    }

    var nowMs: Int64 { desk.moment.reading.bootMs }

    mutating func live(_ random: inout SeededRandom) {
        switch random.number(0...19) {
        case 0, 1: desk.travel(Self.zones[Int(random.number(0...Int64(Self.zones.count - 1)))])
        case 2 where setsClock:
            let far = random.chance(percent: 30) ? BookDesk.hour * 50 : BookDesk.hour * 5
            desk.step(random.number(-far...far))
        case 3: desk.pass(random.number(1...10) * BookDesk.hour)
        default: want(random.number(1...120) * BookDesk.minute)
        }
        hear()
    }

    /// Uses the app until the next occurrence, or waits while the limit is reached.
    private mutating func want(_ ms: Int64) {
        guard !isShut else {
            desk.pass(ms)
            return
        }
        let from = nowMs
        var ahead = desk
        ahead.use("game", ms)
        let next =
            ahead.told.dropFirst(heard).map { nowMs + $0.dueWallMs - desk.moment.reading.wallMs }.min()
            ?? from + ms
        desk.use("game", max(1, min(ms, next - from)))
        if isInside { allowed.append((from, nowMs)) }
    }

    private mutating func hear() {
        for one in desk.told.dropFirst(heard) {
            switch one.occasion {
            case .intervalStarted: (isInside, isShut) = (true, false)
            case .intervalEnded: (isInside, isShut) = (false, false)
            case .thresholdReached: isShut = true
            default: break
            }
        }
        heard = desk.told.count
        shutSinceMs = isShut ? shutSinceMs ?? nowMs : nil
        longestShutMs = max(longestShutMs, shutSinceMs.map { nowMs - $0 } ?? 0)
    }

    /// The maximum usage within any period of boot time of this length.
    func mostUse(within ms: Int64) -> Int64 {
        allowed.map { first in
            let end = first.from + ms
            return allowed.reduce(0) { $0 + max(0, min($1.to, end) - max($1.from, first.from)) }
        }.max() ?? 0
    }
}

@Suite("A limit across changes of zone and clock")
struct ZonePropertyTests {
    @Test("Changes of zone and clock give less than 1 s of extra usage, and a reached limit ends within 60 h")
    func zones() throws {
        for seed in UInt64(0)..<UInt64(TestScale.count(1_000, soak: 10_000)) {
            var random = SeededRandom(seed: seed)
            var traveller = Traveller(&random)
            let isWholeDay = traveller.schedule == BookDesk.daily()
            let start = traveller.nowMs
            while traveller.nowMs < start + 10 * 24 * BookDesk.hour {
                traveller.live(&random)
                let hasInterval = traveller.isInside || !isWholeDay
                try #require(hasInterval, "seed \(seed): a moment without an interval")
            }
            // Without changes, the shortest day is the one on which clocks go forward.
            let period = try #require(traveller.schedule.periodMs)
            let most = traveller.mostUse(within: period - period / 24)
            let wonMs = max(0, most - 2 * traveller.thresholdMs)
            try #require(wonMs < 1_000, "seed \(seed)")
            // A move to the west extends the day by at most 26 hours.
            let shutHours = isWholeDay && !traveller.setsClock ? traveller.longestShutMs / BookDesk.hour : 0
            try #require(shutHours < 60, "seed \(seed)")
        }
    }
}
