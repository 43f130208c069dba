import STContracts
import STPlatform
import STTestSupport

/// One year of one person, the same one each time: 365,000 changes of what is in front, 21,900 spells of idleness.
struct YearOfUse {
    struct Stretch {
        var wallMs: Int64
        var presence: Presence
        var app: String?
        var domain: String?
    }

    /// 1 November 2025 in Berlin; in the year after it the clocks are set twice.
    static let startWallMs: Int64 = 1_761_951_600_000
    static let endWallMs: Int64 = 1_793_487_600_000
    static let zone = "Europe/Berlin"
    static let member = "child"
    static let bootId = "bench-year"

    private static let dayMs: Int64 = 86_400_000
    private static let changesPerDay = 1_000
    private static let idlesPerDay = 60
    private static let apps = 60
    private static let sites = 200

    /// In order; each lasts until the next, the last one until the end of the year.
    let stretches: [Stretch]

    init(days: Int = 365, seed: UInt64 = 20_261_120) {
        var random = SeededRandom(seed: seed)
        var all: [Stretch] = []
        all.reserveCapacity(days * (Self.changesPerDay + Self.idlesPerDay))
        for day in 0..<days { Self.day(Int64(day), &all, &random) }
        stretches = all
    }

    /// From seven in the morning; the last spell of idleness lasts until the next morning.
    private static func day(_ day: Int64, _ all: inout [Stretch], _ random: inout SeededRandom) {
        var wallMs = startWallMs + day * dayMs + 7 * 3_600_000
        let perIdle = changesPerDay / idlesPerDay
        var left = changesPerDay
        for idle in 0..<idlesPerDay {
            let changes = idle == idlesPerDay - 1 ? left : perIdle
            left -= changes
            for _ in 0..<changes {
                all.append(next(wallMs, after: all.last?.app, &random))
                wallMs += Int64(random.number(2_000...70_000))
            }
            all.append(Stretch(wallMs: wallMs, presence: .idle))
            wallMs += Int64(random.number(60_000...400_000))
        }
    }

    /// A few apps are used much and many of them little, and never one after itself: that would be no change.
    private static func next(_ wallMs: Int64, after last: String?, _ random: inout SeededRandom) -> Stretch {
        while true {
            let part = Double(random.number(0...9_999)) / 10_000
            let number = Int(part * part * part * Double(apps))
            let app = number == 0 ? "org.mozilla.firefox" : "org.example.app\(number)"
            if app == last { continue }
            let site =
                number == 0 && random.number(0...3) > 0 ? "site\(random.number(1...sites)).example" : nil
            return Stretch(wallMs: wallMs, presence: .active, app: app, domain: site)
        }
    }

    func endMs(of index: Int) -> Int64 {
        index + 1 < stretches.count ? stretches[index + 1].wallMs : Self.endWallMs
    }

    /// What a report by app should say.
    func usedMs(from: Int64 = startWallMs, to: Int64 = endWallMs) -> [String: Int64] {
        var sums: [String: Int64] = [:]
        for (index, stretch) in stretches.enumerated() {
            guard stretch.presence == .active, let app = stretch.app else { continue }
            let ms = min(endMs(of: index), to) - max(stretch.wallMs, from)
            if ms > 0 { sums[app, default: 0] += ms }
        }
        return sums
    }

    func observation(_ index: Int) -> Observation {
        let stretch = stretches[index]
        let ms = stretch.wallMs - Self.startWallMs
        return Observation(
            sequence: Int64(index + 1),
            bootId: Self.bootId,
            at: TimeReading(wallMs: stretch.wallMs, bootMs: ms, monotonicMs: ms),
            zone: Self.zone,
            member: Self.member,
            presence: stretch.presence,
            app: stretch.app,
            domain: stretch.domain,
            unbroken: true
        )
    }
}
