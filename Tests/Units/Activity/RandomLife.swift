import STContracts
import STPlatform
import STTestSupport

@testable import STActivityCore

/// Random observations of one agent. An option changes only what it controls, and no other random value.
struct RandomLife {
    enum Sleep {
        case none, told, untold
    }

    var watcher = Watcher()
    /// The maximum step of the wall clock, in milliseconds. 0 for none.
    var stepsMax: Int64 = 0
    var travels = false
    var sleep = Sleep.untold
    /// The probability of a shield per observation. It uses random numbers of its own.
    var shieldsPercent: Int64 = 0
    /// The probability of an input per observation. It uses random numbers of its own.
    var touchesPercent: Int64 = 0
    /// The maximum difference between two clock readings, in milliseconds. It limits the accuracy of a sleep's length.
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
            // A sleep before the first observation of a boot does not belong to the boot.
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
        // Each step is large enough not to look like a clock that runs slightly fast.
        let size = Int64(random.number(1_001...1_000_000))
        let isBack = random.chance(percent: 50)
        guard random.chance(percent: 10), stepsMax > 0 else { return }
        watcher.time.stepWall(byMs: (isBack ? -1 : 1) * (1_001 + size * (stepsMax / 1_000_000)))
    }
}
