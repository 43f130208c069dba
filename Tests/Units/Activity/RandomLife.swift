import STContracts
import STPlatform
import STTestSupport

@testable import STActivityCore

/// One life of an agent, drawn by lot; what is switched on beside it changes nothing else of what is drawn.
struct RandomLife {
    enum Sleep {
        case none, told, untold
    }

    var watcher = Watcher()
    /// How far the wall clock is set, now and then.
    var stepsMax: Int64 = 0
    var travels = false
    var sleep = Sleep.untold
    /// How often a shield stands in front of it; by a lot of its own, so that nothing else changes.
    var shieldsPercent: Int64 = 0
    /// How often something is touched, which comes with all that is seen; by a lot of its own as well.
    var touchesPercent: Int64 = 0
    /// The clocks cannot be read at one instant; a sleep is known no better than that.
    var apartMax = 2
    private var random: SeededRandom
    private var shieldRandom: SeededRandom
    private var touchRandom: SeededRandom
    private var inputBootMs: Int64?

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        shieldRandom = SeededRandom(seed: seed ^ 0x5348_4945)
        touchRandom = SeededRandom(seed: seed ^ 0x544F_5543)
    }

    mutating func observations() -> [Observation] {
        var seen: [Observation] = []
        for _ in 0..<random.number(2...60) {
            if random.chance(percent: 5) { watcher.bootId = "boot-\(seen.count)" }
            turnClocks()
            let sleepMs = random.chance(percent: 10) ? Int64(random.number(1_000...10_000_000)) : 0
            let presence: Presence =
                random.pick([.active, .active, .active, .idle, .locked, .away]) ?? .active
            let app = random.pick(["a", "b", nil]) ?? nil
            let pauseMs = random.pick([0, 1, 5_000, 5_000, 15_000, 15_001, 900_000]) ?? 0
            let apartMs = Int64(random.number(0...2)) * Int64(apartMax) / 2
            watcher.time.advance(byMs: Int64(pauseMs))
            // A sleep before anything was seen of this start of the machine is no part of it.
            if sleepMs > 0, seen.last?.bootId == watcher.bootId {
                if sleep == .told { seen.append(watcher.sees(nil, .suspended)) }
                if sleep != .none { watcher.time.suspend(forMs: sleepMs) }
            }
            var observation = watcher.sees(presence == .active ? app : nil, presence)
            observation.monotonicMs += apartMs
            if shieldRandom.chance(percent: shieldsPercent) { observation.shielded = true }
            if seen.last?.bootId != watcher.bootId { inputBootMs = nil }
            if touchRandom.chance(percent: touchesPercent) { inputBootMs = observation.bootMs }
            observation.inputBootMs = inputBootMs
            seen.append(observation)
        }
        return seen
    }

    private mutating func turnClocks() {
        let zone = random.pick(["UTC", "Asia/Seoul", "Asia/Kathmandu"]) ?? "UTC"
        if random.chance(percent: 5), travels { watcher.time.travel(toZone: zone) }
        // No step so small that it may pass for a clock that runs a little fast.
        let size = Int64(random.number(1_001...1_000_000))
        let isBack = random.chance(percent: 50)
        guard random.chance(percent: 10), stepsMax > 0 else { return }
        watcher.time.stepWall(byMs: (isBack ? -1 : 1) * (1_001 + size * (stepsMax / 1_000_000)))
    }
}
