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

    /// Observations of up to three agents, sorted by time.
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
            // Other tests cover usage that is withdrawn.
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

    @Test("Merged usage of several agents equals a count of every millisecond")
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

    @Test("With late reports too, every moment is in exactly one segment, and no time is added")
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
            #expect(lived.passed.reduce(0) { $0 + ($1.toBoot - $1.fromBoot).ms } == whole, "seed \(seed)")
            #expect(Set(rows.map(\.segment)).count == rows.count, "seed \(seed): one name twice")
        }
    }

    /// Reorders the reports of different agents. The reports of one agent keep their order.
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
