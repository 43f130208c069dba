import STPlatform
import STTestSupport
import Testing

@Suite("Moments and durations")
struct MomentTests {
    @Test("The difference of two moments is the duration that leads from one to the other")
    func difference() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<1_000 {
            let (one, other) = (random.number(-5_000_000...5_000_000), random.number(-5_000_000...5_000_000))
            let (first, second) = (BootTime(ms: Int64(one)), BootTime(ms: Int64(other)))
            #expect((second - first).ms == Int64(other - one))
            #expect(first + (second - first) == second)
            #expect(second - (second - first) == first)
            #expect((first < second) == (one < other))
        }
    }

    @Test("A moment beyond the range of milliseconds is the first or last representable one")
    func saturation() {
        #expect(WallTime.distantFuture + .seconds(1) == .distantFuture)
        #expect(WallTime(ms: .min) - .seconds(1) == WallTime(ms: .min))
        #expect((WallTime(ms: .max) - WallTime(ms: .min)).ms == .max)
        #expect((WallTime(ms: .min) - WallTime(ms: .max)).ms == .min)
        #expect(WallTime(ms: 5) + .seconds(Int64.max) == .distantFuture)
    }

    @Test("The milliseconds of a duration are whole and round toward zero")
    func milliseconds() {
        #expect(Duration.seconds(90).ms == 90_000)
        #expect(Duration.microseconds(1_999).ms == 1)
        #expect(Duration.microseconds(-1_999).ms == -1)
        #expect(Duration.milliseconds(Int64.max).ms == .max)
        #expect(Duration.milliseconds(Int64.min).ms == .min)
    }
}
