import STCommandCore
import STContracts
import Testing

@Suite("When trace shows a story")
struct TraceCollectorTests {
    private let start = SuspendingClock.now
    private let first = String(repeating: "1", count: 32)
    private let second = String(repeating: "2", count: 32)

    @Test("A trace is returned once, after 300 ms without a new span")
    func quiet() {
        var collector = TraceCollector()
        collector.add(span(first, at: 1), now: start)
        collector.add(span(first, at: 2), now: start + .milliseconds(250))

        #expect(collector.due(now: start + .milliseconds(500)).isEmpty)
        #expect(collector.due(now: start + .milliseconds(550)).map(\.spans.count) == [2])
        #expect(collector.due(now: start + .milliseconds(5_000)).isEmpty)
    }

    @Test("A trace with continuous spans is returned after 2 s, and its later spans are marked as continued")
    func long() {
        var collector = TraceCollector()
        for now in stride(from: Int64(0), through: 2_000, by: 100) {
            collector.add(span(first, at: now), now: start + .milliseconds(now))
        }

        let told = collector.due(now: start + .milliseconds(2_000))
        collector.add(span(first, at: 3_000), now: start + .milliseconds(2_100))
        let rest = collector.flush()

        #expect(told.map(\.isContinued) == [false])
        #expect(rest.map(\.isContinued) == [true])
    }

    @Test("Traces are returned in the order of their start times")
    func order() {
        var collector = TraceCollector()
        collector.add(span(second, at: 20), now: start)
        collector.add(span(first, at: 10), now: start)

        #expect(collector.flush().map(\.traceId) == [first, second])
    }

    @Test("A filter accepts a trace if one of its spans matches all conditions")
    func filter() {
        let story = CollectedTrace(traceId: Spans.traceID, spans: Spans.observation)

        #expect(TraceFilter(service: "report-service").accepts(story))
        #expect(TraceFilter(topic: "usage.segment").accepts(story))
        #expect(TraceFilter(trace: "4bf9").accepts(story))
        #expect(!TraceFilter(service: "notifier").accepts(story))
        #expect(!TraceFilter(service: "report-service", topic: "usage.observe").accepts(story))
    }

    private func span(_ trace: String, at startUs: Int64) -> TraceSpan {
        Spans.make(
            .handle,
            name: "health.ping",
            service: "notifier",
            id: "\(trace.first ?? "0")-\(startUs)",
            at: startUs,
            trace: trace
        )
    }
}
