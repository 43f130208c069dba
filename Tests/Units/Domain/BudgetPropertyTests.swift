import STDomain
import STPlatform
import STTestSupport
import Testing

@Suite("Budgets against a count of every millisecond")
struct BudgetPropertyTests {
    /// Looks at a stopwatch at every millisecond.
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

        /// What is crossed while something that counts goes on, its last moment included.
        mutating func watch(_ from: Int64, _ to: Int64, _ budget: Budget) -> [BudgetCrossing] {
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

    @Test("a thousand budgets are crossed at the millisecond, however often they are looked at")
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
                // The stretch comes in pieces, as observations do.
                var from = boot
                while true {
                    let to = random.chance(percent: 50) ? end : min(end, from + random.number(0...60))
                    var ahead = counter
                    let next = ahead.watch(from, from + 1000, budget).first
                    guard progress.nextCrossing(of: budget, fromBootMs: from) == next else {
                        Issue.record("seed \(seed): at \(from) next is not \(next.map { "\($0)" } ?? "none")")
                        return
                    }
                    expected += counter.watch(from, to, budget)
                    found += progress.take(fromBootMs: from, toBootMs: to, of: budget)
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

    @Test("in a thousand sets of stretches every millisecond counts once")
    func spans() {
        for seed in 0..<1000 {
            var random = SeededRandom(seed: UInt64(seed))
            var marked = [Bool](repeating: false, count: 300)
            var set = SpanSet()
            func draw() -> TimeSpan {
                let start: Int64 = random.number(0...290)
                return TimeSpan(start, min(299, start + random.number(-3...40)))
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
            for span in set.spans { for moment in span.startMs..<span.endMs { found[Int(moment)] = true } }
            let shuffled = SpanSet(set.spans.shuffled(using: &random))
            let edges =
                marked.indices.dropFirst().count { marked[$0] && !marked[$0 - 1] } + (marked[0] ? 1 : 0)
            guard found == marked, set.spans.count == edges, shuffled == set else {
                Issue.record("seed \(seed): \(set.spans)")
                return
            }
        }
    }

    @Test("two sets together are what either has, a thousand times")
    func unions() {
        for seed in 0..<1000 {
            var random = SeededRandom(seed: UInt64(seed))
            func draw() -> SpanSet {
                SpanSet(
                    (0..<random.number(0...6)).map { _ in
                        let start: Int64 = random.number(0...90)
                        return TimeSpan(start, start + random.number(0...15))
                    }
                )
            }
            func moments(_ set: SpanSet) -> Set<Int64> {
                Set(set.spans.flatMap { $0.startMs..<$0.endMs })
            }
            let one = draw()
            let other = draw()
            var both = one
            both.formUnion(other)
            guard moments(both) == moments(one).union(moments(other)) else {
                Issue.record("seed \(seed): \(one.spans) and \(other.spans) are not \(both.spans)")
                return
            }
        }
    }

    @Test("stretches that touch are one, and none is longer than sums can be")
    func edges() {
        var set = SpanSet([TimeSpan(0, 10), TimeSpan(20, 30)])

        #expect(set.insert(TimeSpan(10, 20)) == 10)
        #expect(set.spans == [TimeSpan(0, 30)])
        #expect(set.insert(TimeSpan(5, 5)) == 0)
        #expect(set.insert(TimeSpan(.min, .max)) == 2 * SpanSet.reachMs - 30)
        #expect(set.spans == [TimeSpan(-SpanSet.reachMs, SpanSet.reachMs)])
    }
}
