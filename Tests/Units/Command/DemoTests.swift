import STCommandCore
import STContracts
import STTestSupport
import Testing

@Suite("The household of the demonstration")
struct DemoTests {
    /// In the middle of a Wednesday, and in a night.
    @Test(
        "has two weeks before its day that never overlap it, nor each other, and say the same each time",
        arguments: [Int64(1_795_610_400_000), 1_795_656_600_000]
    )
    func past(nowMs: Int64) throws {
        let clock = ZonedClock(zone: "Asia/Seoul") { _ in 9 * 3_600_000 }
        let requests = DemoPast.requests(atMs: nowMs, clock)
        #expect(requests == DemoPast.requests(atMs: nowMs, clock))
        #expect(requests.count == 2)
        for request in requests {
            #expect((100...UsageImport.batchMax).contains(request.rows.count + request.notifications.count))
            let spans = request.rows.map { $0.startWallMs...$0.startWallMs + $0.durationMs }
            #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
            // The day itself began five hours ago.
            #expect(spans.allSatisfy { $0.upperBound < nowMs - 4 * 3_600_000 })
            #expect(Set(request.rows.map(\.segment)).count == request.rows.count)
            #expect(Set(request.rows.map { clock.day($0.startWallMs) }).count >= 12)
            #expect(request.rows.allSatisfy { ($0.category != nil) == ($0.presence == .active) })
            let minutes = request.rows.map { clock.minuteOfDay($0.startWallMs) }
            #expect(minutes.allSatisfy { (9 * 60...22 * 60).contains($0) })
        }
    }

    @Test("has a child who plays less in the second week, so that there is something to see")
    func trend() throws {
        let nowMs: Int64 = 1_795_610_400_000
        let clock = ZonedClock(zone: "UTC") { _ in 0 }
        let child = try #require(DemoPast.requests(atMs: nowMs, clock).first)
        func played(_ days: Range<Int64>) -> Int64 {
            child.rows.filter { $0.app == "steam" && days.contains((nowMs - $0.startWallMs) / 86_400_000) }
                .reduce(0) { $0 + $1.durationMs }
        }
        #expect(played(7..<14) > 2 * played(0..<7))
    }
}
