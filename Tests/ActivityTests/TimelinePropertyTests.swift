import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STActivityCore

@Suite("Whatever an agent sees")
struct TimelinePropertyTests {
    private static let seeds = 1_000

    /// One life of an agent; the wall clock is stepped at the moments where `steps` says so.
    private static func story(_ seed: Int, steps: Bool) -> [Observation] {
        var random = SeededRandom(seed: UInt64(seed))
        var watcher = Watcher()
        var seen: [Observation] = []
        for _ in 0..<random.number(2...60) {
            if random.chance(percent: 5) { watcher.bootId = "boot-\(seen.count)" }
            if random.chance(percent: 10) {
                watcher.time.suspend(forMs: Int64(random.number(1...10_000_000)))
            }
            if random.chance(percent: 5) {
                watcher.time.travel(toZone: random.pick(["UTC", "Asia/Seoul", "Asia/Kathmandu"]) ?? "UTC")
            }
            let stepMs = random.chance(percent: 10) ? Int64(random.number(-100_000_000...100_000_000)) : 0
            if steps { watcher.time.stepWall(byMs: stepMs) }
            let presence: Presence =
                random.pick([.active, .active, .active, .idle, .locked, .away]) ?? .active
            let app = random.pick(["a", "b", nil]) ?? nil
            let pauseMs = random.pick([0, 1, 5_000, 5_000, 15_000, 15_001, 900_000]) ?? 0
            var observation = watcher.sees(presence == .active ? app : nil, presence, afterMs: Int64(pauseMs))
            // The clocks cannot be read at one instant.
            observation.monotonicMs += Int64(random.number(0...2))
            seen.append(observation)
        }
        return seen
    }

    private static func live(_ seen: [Observation]) throws -> Lived {
        var lived = Lived()
        for observation in seen { try lived.take(observation) }
        return lived
    }

    @Test("every moment of a start of the machine is in exactly one stretch")
    func sums() throws {
        for seed in 0..<Self.seeds {
            let seen = Self.story(seed, steps: true)
            let lived = try Self.live(seen)
            let all = lived.closed + [lived.timeline.open].compactMap { $0 }
            for (boot, moments) in Dictionary(grouping: seen, by: \.bootId) {
                let rows = all.filter { $0.bootId == boot }
                let first = try #require(moments.first?.bootMs)
                let last = try #require(moments.last?.bootMs)
                let whole = rows.reduce(0) { $0 + $1.durationMs }
                let fits = zip(rows, rows.dropFirst()).allSatisfy { $0.endBootMs == $1.startBootMs }

                #expect(whole == last - first, "seed \(seed), \(boot)")
                #expect(fits, "seed \(seed), \(boot)")
                #expect(rows.allSatisfy { $0.durationMs >= 0 }, "seed \(seed), \(boot)")
            }
            #expect(Set(all.map(\.segment)).count == all.count, "seed \(seed): two stretches of one name")
        }
    }

    @Test("steps of the wall clock change nothing but where in the day a stretch lies")
    func wallSteps() throws {
        for seed in 0..<Self.seeds {
            let still = try Self.live(Self.story(seed, steps: false)).outputs.map(Self.withoutWall)
            let stepped = try Self.live(Self.story(seed, steps: true)).outputs.map(Self.withoutWall)

            #expect(still == stepped, "seed \(seed)")
        }
    }

    @Test("as long as nobody sets the wall clock, every stretch begins where that clock was")
    func wallStarts() throws {
        for seed in 0..<Self.seeds {
            let seen = Self.story(seed, steps: false)
            let apart = Set(seen.map { $0.wallMs - $0.bootMs })
            let told = Set(try Self.live(seen).closed.map { $0.startWallMs - $0.startBootMs })

            #expect(told.isSubset(of: apart), "seed \(seed)")
        }
    }

    @Test("use is never more than the beats of somebody active account for")
    func use() throws {
        for seed in 0..<Self.seeds {
            let seen = Self.story(seed, steps: true)
            let used = try Self.live(seen).closed.filter { $0.presence == .active }.reduce(0) {
                $0 + $1.durationMs
            }
            let most = zip(seen, seen.dropFirst()).reduce(Int64(0)) { sum, pair in
                guard pair.0.presence == .active, pair.0.bootId == pair.1.bootId else { return sum }
                return sum + min(Timeline.silenceMs, pair.1.bootMs - pair.0.bootMs)
            }

            #expect(used <= most, "seed \(seed)")
        }
    }

    private static func withoutWall(_ output: Timeline.Output) -> Timeline.Output {
        func cut(_ segment: Segment) -> Segment {
            var segment = segment
            segment.startWallMs = 0
            return segment
        }
        return switch output {
        case .opened(let segment): .opened(cut(segment))
        case .grown(let segment): .grown(cut(segment))
        case .closed(let segment): .closed(cut(segment))
        }
    }
}
