import STPlatform
import STTestSupport
import Testing

@Suite("Histograms of durations")
struct LatencyHistogramTests {
    /// Durations of a realistic distribution: most are short, a few are very long.
    private static func durations(_ count: Int, seed: UInt64) -> [Int64] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in
            let largest = 1 << random.number(0...31)
            return Int64(random.number(0...largest))
        }
    }

    @Test("A quantile is never below the exact value and at most an eighth above it")
    func quantiles() {
        for seed in 0..<100 {
            let values = Self.durations(1 + seed * 7, seed: UInt64(seed))
            var histogram = LatencyHistogram()
            for value in values { histogram.record(us: value) }
            let sorted = values.sorted()
            for percent in [1, 25, 50, 90, 99, 100] {
                let fraction = Double(percent) / 100
                let rank = max(1, Int((Double(values.count) * fraction).rounded(.up)))
                let exact = sorted[rank - 1]
                let told = histogram.quantile(fraction)

                #expect(told >= exact, "seed \(seed), \(percent) %")
                #expect(told <= exact + exact / 8, "seed \(seed), \(percent) %")
            }
            #expect(histogram.count == Int64(values.count))
        }
    }

    @Test("An empty histogram has a count of 0 and a median of 0")
    func empty() {
        #expect(LatencyHistogram().quantile(0.5) == 0)
        #expect(LatencyHistogram().count == 0)
    }

    @Test("Durations of up to 15 µs are recorded exactly", arguments: Array(Int64(0)...15))
    func small(us: Int64) {
        var histogram = LatencyHistogram()
        histogram.record(us: us)

        #expect(histogram.quantile(0.5) == us)
    }

    @Test(
        "Durations outside the range of all buckets count in the first or the last bucket",
        arguments: [Int64.min, -1, .max]
    )
    func outside(us: Int64) {
        var histogram = LatencyHistogram()
        histogram.record(us: us)

        #expect(histogram.count == 1)
        #expect(us < 0 ? histogram.quantile(1) == 0 : histogram.quantile(1) > 3_600_000_000)
    }

    @Test("A fraction of 0 or less gives the smallest duration, and 1 gives the largest")
    func fractions() {
        var histogram = LatencyHistogram()
        for us in [3, 5, 7] { histogram.record(us: Int64(us)) }

        #expect(histogram.quantile(0) == 3)
        #expect(histogram.quantile(-1) == 3)
        #expect(histogram.quantile(1) == 7)
    }
}
