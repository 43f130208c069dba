import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STActivityCore

@Suite("Random reports of one agent")
struct TimelinePropertyTests {
    private static let seeds = 1_000

    private static func live(_ seed: Int, _ change: (inout RandomLife) -> Void = { _ in }) throws -> (
        seen: [Observation], lived: Lived
    ) {
        var life = RandomLife(seed: UInt64(seed))
        change(&life)
        let seen = life.observations()
        var lived = Lived()
        for observation in seen { try lived.take(observation) }
        return (seen, lived)
    }

    @Test("Every moment of a boot is in exactly one segment")
    func sums() throws {
        for seed in 0..<Self.seeds {
            let (seen, lived) = try Self.live(seed)
            for (boot, moments) in Dictionary(grouping: seen, by: \.bootId) {
                let rows = lived.rows.filter { $0.bootId == boot }
                let first = try #require(moments.first?.bootMs)
                let last = try #require(moments.last?.bootMs)
                let whole = rows.reduce(0) { $0 + $1.durationMs }

                #expect(whole == last - first, "seed \(seed), \(boot)")
                #expect(Self.abut(rows.map { ($0.startBootMs, $0.endBootMs) }), "seed \(seed), \(boot)")
            }
            #expect(Set(lived.rows.map(\.segment)).count == lived.rows.count, "seed \(seed): one name twice")
        }
    }

    @Test("The passed periods equal the rows, with each moment once and in order")
    func pieces() throws {
        for seed in 0..<Self.seeds {
            let lived = try Self.live(seed).lived
            var pieces: [String: [UsageInterval]] = [:]
            for piece in lived.passed { pieces[piece.segment, default: []].append(piece) }
            for row in lived.rows {
                let own = pieces.removeValue(forKey: row.segment) ?? []
                let fits =
                    own.isEmpty
                    ? row.durationMs == 0
                    : own.first?.fromBoot.ms == row.startBootMs && own.last?.toBoot.ms == row.endBootMs

                #expect(fits && Self.abut(own.map { ($0.fromBoot.ms, $0.toBoot.ms) }), "seed \(seed)")
                #expect(
                    own.allSatisfy {
                        $0.presence == row.presence && $0.app == row.app
                            && $0.fromWall.ms - $0.fromBoot.ms == row.startWallMs - row.startBootMs
                    },
                    "seed \(seed)"
                )
            }
            #expect(pieces.isEmpty, "seed \(seed)")
        }
    }

    @Test("Setting the wall clock changes no duration, and the steps are recorded")
    func wallSteps() throws {
        for seed in 0..<Self.seeds {
            let still = try Self.live(seed).lived
            let (seen, stepped) = try Self.live(seed) { $0.stepsMax = 100_000_000 }
            #expect(stepped.sums == still.sums, "seed \(seed)")
            for (boot, moments) in Dictionary(grouping: seen, by: \.bootId) {
                let offsets = moments.map { $0.wallMs - $0.bootMs }
                let rows = stepped.rows.filter { $0.bootId == boot }
                let told = rows.reduce(0) { $0 + ($1.stepMs ?? 0) }

                #expect(told == (offsets.last ?? 0) - (offsets.first ?? 0), "seed \(seed), \(boot)")
                #expect(
                    rows.allSatisfy { offsets.contains($0.startWallMs - $0.startBootMs) },
                    "seed \(seed), \(boot)"
                )
            }
        }
    }

    @Test(
        "Neither the time zone nor the date changes a duration",
        arguments: [
            // One hour before the clocks go forward, before they go back, before midnight and before the new year.
            (zone: "Europe/Berlin", wallMs: Int64(1_774_742_400_000)),
            (zone: "America/New_York", wallMs: 1_793_507_400_000),
            (zone: "Asia/Kathmandu", wallMs: 1_790_000_000_000),
            (zone: "Pacific/Apia", wallMs: 1_798_710_000_000),
        ]
    )
    func zones(place: (zone: String, wallMs: Int64)) throws {
        for seed in 0..<Self.seeds {
            let here = try Self.live(seed).lived.sums
            let there = try Self.live(seed) {
                $0.watcher = Watcher(wallMs: place.wallMs, zone: place.zone)
                $0.travels = true
            }
            #expect(there.lived.sums == here, "seed \(seed)")
        }
    }

    @Test("A sleep changes no other duration, whether or not logind reports it")
    func suspends() throws {
        for seed in 0..<Self.seeds {
            let told = try Self.sleeper(seed, .told)
            let untold = try Self.sleeper(seed, .untold)
            var awake = try Self.sleeper(seed, .none)
            awake["- suspended"] = nil
            #expect(told == untold, "seed \(seed)")
            #expect(told.filter { $0.key != "- suspended" } == awake, "seed \(seed)")
        }
    }

    private static func sleeper(_ seed: Int, _ sleep: RandomLife.Sleep) throws -> [String: Int64] {
        try live(seed) {
            $0.sleep = sleep
            $0.apartMax = 0
        }.lived.sums
    }

    @Test("Usage is never longer than the observations of an active member support")
    func use() throws {
        for seed in 0..<Self.seeds {
            let (seen, lived) = try Self.live(seed)
            let used = lived.closed.filter { $0.presence == .active }.reduce(0) { $0 + $1.durationMs }
            let most = zip(seen, seen.dropFirst()).reduce(Int64(0)) { sum, pair in
                guard pair.0.presence == .active, pair.0.bootId == pair.1.bootId else { return sum }
                return sum + min(Timeline.silence.ms, pair.1.bootMs - pair.0.bootMs)
            }

            #expect(used <= most, "seed \(seed)")
        }
    }

    private static func abut(_ parts: [(from: Int64, to: Int64)]) -> Bool {
        parts.allSatisfy { $0.from <= $0.to } && zip(parts, parts.dropFirst()).allSatisfy { $0.to == $1.from }
    }
}
