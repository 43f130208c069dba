import STBus
import Testing

@Suite("A backoff")
struct BackoffTests {
    private let backoff = Backoff(firstMs: 50, limitMs: 2_000)

    @Test("doubles up to its limit and stays there, however often it failed")
    func doubles() {
        #expect(
            (0...7).map { backoff.delayMs(attempt: $0, noise: 1) } == [
                50, 100, 200, 400, 800, 1_600, 2_000, 2_000,
            ]
        )
        #expect(backoff.delayMs(attempt: .max, noise: 1) == 2_000)
        #expect(backoff.delayMs(attempt: -3, noise: 1) == 50)
    }

    @Test("spreads callers over the second half of the delay")
    func spreads() {
        #expect(backoff.delayMs(attempt: 1, noise: 0) == 50)
        #expect(backoff.delayMs(attempt: 1, noise: 0.5) == 75)
    }
}
