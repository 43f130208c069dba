import STDomain
import STPlatform
import STTestSupport
import Testing

@Suite("Budgets compared with a count of every millisecond")
struct BudgetPropertyTests {
    /// Counts usage and checks the budget at every millisecond.
    private struct Counter {
        var used: Int64
        var reached = false
        var warned = false

        mutating func look(atMs: Int64, _ budget: Budget, _ found: inout [BudgetCrossing]) {
            guard !reached else { return }
            let left = budget.thresholdMs - used
            if left <= 0 {
                reached = true
                found.append(BudgetCrossing(kind: .threshold, atBootMs: atMs, usedMs: used))
            } else if let warning = budget.warningMs, warning > 0, left <= warning, !warned {
                warned = true
                found.append(BudgetCrossing(kind: .warning, atBootMs: atMs, usedMs: used))
            }
        }

        /// The crossings during usage from `from` to `to`, both included.
        mutating func watch(_ from: Int64, to: Int64, budget: Budget) -> [BudgetCrossing] {
            var found: [BudgetCrossing] = []
            look(atMs: from, budget, &found)
            var moment = from
            while moment < to {
                moment += 1
                used += 1
                look(atMs: moment, budget, &found)
            }
            return found
        }
    }

    @Test("A thousand budgets are crossed at the exact millisecond, however observations divide the usage")
    func crossings() {
        var crossed = 0
        for seed in 0..<1000 {
            var random = SeededRandom(seed: UInt64(seed))
            let budget = Budget(
                target: BudgetTarget(),
                thresholdMs: random.number(1...400),
                warningMs: random.chance(percent: 30) ? nil : random.number(0...450)
            )
            let past = random.chance(percent: 60) ? 0 : random.number(0...300) as Int64
            var progress = BudgetProgress()
            progress.count(past)
            var counter = Counter(used: past)
            var boot: Int64 = random.number(0...1000)
            for _ in 0..<random.number(1...12) {
                boot += random.number(0...50)
                let end = boot + random.number(0...120)
                var expected: [BudgetCrossing] = []
                var found: [BudgetCrossing] = []
                // The usage arrives in pieces, as with observations.
                var from = boot
                while true {
                    let to = random.chance(percent: 50) ? end : min(end, from + random.number(0...60))
                    var ahead = counter
                    let next = ahead.watch(from, to: from + 1000, budget: budget).first
                    guard progress.nextCrossing(of: budget, fromBootMs: from) == next else {
                        Issue.record("seed \(seed): at \(from) next is not \(next.map { "\($0)" } ?? "none")")
                        return
                    }
                    expected += counter.watch(from, to: to, budget: budget)
                    found += progress.add(fromBootMs: from, toBootMs: to, of: budget)
                    if to == end { break }
                    from = to
                }
                crossed += expected.count
                guard found == expected, progress.usedMs == counter.used, progress.reached == counter.reached
                else {
                    Issue.record("seed \(seed): \(found) and not \(expected)")
                    return
                }
                boot = end
            }
        }
        #expect(crossed > 1000)
    }

    @Test("A thousand random span sets count every millisecond once")
    func spans() {
        for seed in 0..<1000 {
            var random = SeededRandom(seed: UInt64(seed))
            var marked = [Bool](repeating: false, count: 300)
            var set = TimeRangeSet()
            func draw() -> TimeRange {
                let start: Int64 = random.number(0...290)
                return TimeRange(start, min(299, start + random.number(-3...40)))
            }
            for _ in 0..<random.number(1...20) {
                let span = draw()
                let moments = span.startMs < span.endMs ? Array(Int(span.startMs)..<Int(span.endMs)) : []
                let fresh = moments.count { !marked[$0] }
                for moment in moments { marked[moment] = true }
                guard set.insert(span) == Int64(fresh) else {
                    Issue.record("seed \(seed): \(span) has \(fresh) new")
                    return
                }
            }
            var found = [Bool](repeating: false, count: marked.count)
            for span in set.ranges { for moment in span.startMs..<span.endMs { found[Int(moment)] = true } }
            let shuffled = TimeRangeSet(set.ranges.shuffled(using: &random))
            let edges =
                marked.indices.dropFirst().count { marked[$0] && !marked[$0 - 1] } + (marked[0] ? 1 : 0)
            guard found == marked, set.ranges.count == edges, shuffled == set else {
                Issue.record("seed \(seed): \(set.ranges)")
                return
            }
        }
    }

    @Test("The union of two span sets contains the moments of either")
    func unions() {
        for seed in 0..<1000 {
            var random = SeededRandom(seed: UInt64(seed))
            func draw() -> TimeRangeSet {
                TimeRangeSet(
                    (0..<random.number(0...6)).map { _ in
                        let start: Int64 = random.number(0...90)
                        return TimeRange(start, start + random.number(0...15))
                    }
                )
            }
            func moments(_ set: TimeRangeSet) -> Set<Int64> {
                Set(set.ranges.flatMap { $0.startMs..<$0.endMs })
            }
            let one = draw()
            let other = draw()
            var both = one
            both.formUnion(other)
            guard moments(both) == moments(one).union(moments(other)) else {
                Issue.record("seed \(seed): \(one.ranges) and \(other.ranges) are not \(both.ranges)")
                return
            }
        }
    }

    @Test("Adjacent spans are merged, and a span's length is limited")
    func edges() {
        var set = TimeRangeSet([TimeRange(0, 10), TimeRange(20, 30)])

        #expect(set.insert(TimeRange(10, 20)) == 10)
        #expect(set.ranges == [TimeRange(0, 30)])
        #expect(set.insert(TimeRange(5, 5)) == 0)
        #expect(set.insert(TimeRange(.min, .max)) == 2 * TimeRangeSet.limitMs - 30)
        #expect(set.ranges == [TimeRange(-TimeRangeSet.limitMs, TimeRangeSet.limitMs)])
    }
}
