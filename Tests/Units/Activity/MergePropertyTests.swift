import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STActivityCore

@Suite("Random reports of several agents")
struct MergePropertyTests {
    private static let seeds = 1_000

    private struct Word {
        var agent: String
        var seen: Observation
    }

    /// What up to three agents see within a minute, in order of time.
    private static func words(_ random: inout SeededRandom) -> [Word] {
        let agents = Array(["one", "two", "three"].prefix(random.number(1...3)))
        var sequence: [String: Int64] = [:]
        var bootMs: Int64 = 1_000_000
        return (0..<random.number(2...25)).map { _ in
            let agent = random.pick(agents) ?? "one"
            bootMs += Int64(random.pick([0, 1, 300, 2_000, 5_000, 15_000, 15_001]) ?? 0)
            sequence[agent, default: 0] += 1
            let presence: Presence = random.pick([.active, .active, .active, .idle, .away]) ?? .active
            let inputMs = random.pick([nil, nil, bootMs, bootMs - Int64(random.number(0...9_000))]) ?? nil
            // What is taken back has tests of its own.
            let told = presence == .idle ? nil : inputMs
            let seen = Observation(
                sequence: sequence[agent] ?? 0,
                bootId: "boot",
                at: TimeReading(wallMs: 1_790_000_000_000 + bootMs, bootMs: bootMs, monotonicMs: bootMs),
                zone: "UTC",
                member: "child",
                presence: presence,
                app: presence == .active ? random.pick(["a", "b"]) : nil,
                inputBootMs: told,
                unbroken: random.chance(percent: 5) ? true : nil
            )
            return Word(agent: agent, seen: seen)
        }
    }

    @Test("time is as a slow count of every millisecond has it, and none counts twice")
    func slowCount() throws {
        for seed in 0..<seeds {
            var random = SeededRandom(seed: UInt64(seed))
            let words = Self.words(&random)
            var lived = Lived()
            var slow = SlowMerge()
            for word in words {
                try lived.take(word.seen, agent: word.agent)
                slow.hear(word.agent, word.seen)
            }

            #expect(lived.sums == slow.counted, "seed \(seed)")
            #expect(lived.late == 0)
        }
    }

    private let seeds = Self.seeds

    @Test("late reports or not, every moment is in one stretch, and no more moments than have passed")
    func anyOrder() throws {
        for seed in 0..<seeds {
            var random = SeededRandom(seed: UInt64(seed))
            let words = Self.words(&random)
            var lived = Lived()
            for word in Self.delayed(words, &random) { try lived.take(word.seen, agent: word.agent) }
            let rows = lived.rows
            let whole = rows.reduce(0) { $0 + $1.durationMs }
            let moments = words.map(\.seen.bootMs)

            #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.endBootMs == $1.startBootMs }, "seed \(seed)")
            #expect(rows.allSatisfy { $0.durationMs >= 0 }, "seed \(seed)")
            #expect(whole <= (moments.max() ?? 0) - (moments.min() ?? 0), "seed \(seed)")
            #expect(lived.passed.reduce(0) { $0 + $1.toBootMs - $1.fromBootMs } == whole, "seed \(seed)")
            #expect(Set(rows.map(\.segment)).count == rows.count, "seed \(seed): one name twice")
        }
    }

    /// Each agent's words stay in order; one agent's may all come after another's.
    private static func delayed(_ words: [Word], _ random: inout SeededRandom) -> [Word] {
        var waiting = Dictionary(grouping: words, by: \.agent)
        var order: [Word] = []
        while !waiting.isEmpty {
            let agent = random.pick(waiting.keys.sorted()) ?? ""
            let left = waiting[agent] ?? []
            let count = min(random.number(1...6), left.count)
            order += left.prefix(count)
            waiting[agent] = count < left.count ? Array(left.dropFirst(count)) : nil
        }
        return order
    }
}
