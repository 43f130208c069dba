import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension MonitorSuite {
    @Suite("Virtual clock of monitor-runner")
    struct VirtualTests {
        private static let wallMs: Int64 = 1_900_000_000_000

        private static func run(callMs: Int64 = 30_000, _ body: @Sendable (MonitorWorld) async throws -> Void)
            async throws
        {
            let scratch = try ScratchDirectory()
            let reading = TimeReading(wallMs: wallMs, bootMs: 50_000, monotonicMs: 50_000)
            let face = ClockState(reading: reading, zone: "Asia/Seoul", bootID: "virtual")
            let page = try ClockPage(creating: scratch.file("clock"), face)
            let environment = [
                ClockPage.variable: page.path, "SCREENTIME_MONITOR_RUNNER_CALL_MS": String(callMs),
            ]
            try await MonitorWorld.run(environment: environment, body)
            withExtendedLifetime(page) {}
        }

        @Test(
            "On a virtual clock callbacks of all apps run one after another in stream order, including retries"
        )
        func order() async throws {
            try await Self.run { world in
                let apps = ["a", "b", "c"]
                for app in apps { try await world.allow(app, try world.program()) }
                for round in 0..<6 {
                    try await world.happen(
                        apps.map { ($0, $0 == "b" && round % 2 == 1 ? "note-crash-once" : "note") }
                    )
                }
                let all = try await world.finished(18)

                #expect(all.allSatisfy { $0.state == .done })
                var order: [Substring] = []
                for note in world.notes where order.last != note[0] { order.append(note[0]) }
                #expect(order.map(String.init) == all.map(\.id))
                #expect(all.count { $0.attempt == 2 } == 3)
            }
        }

        @Test("An extension sees the virtual clock and its zone, and its output has that time")
        func time() async throws {
            try await Self.run { world in
                try await world.allow("a", try world.program())
                try await world.happen([("a", "time")])
                let view = try #require(try await world.finished(1).first)
                let line = try #require(try await world.log("a").first)

                #expect(line.text == "wall \(Self.wallMs) Asia/Seoul")
                #expect(line.wallMs == Self.wallMs)
                #expect(view.queuedAt == RFC3339.text(wallMs: Self.wallMs))
            }
        }

        @Test(
            "The virtual clock counts monitor-runner as busy from the event to the end of the callback"
        )
        func busy() async throws {
            try await Self.run(callMs: 2_000) { world in
                try await world.allow("a", try world.program())
                try await world.happen([("a", "hang")])
                // Three attempts of two seconds each, with waits between them: there is work at every check.
                var looks = 0
                let deadlineMs = Stopwatch.milliseconds() + 120_000
                while true {
                    // Before there is a delivery there is no work, however late the event arrived.
                    let before = try await world.deliveries().first?.state
                    if before == .parked { break }
                    let isInTime = Stopwatch.milliseconds() < deadlineMs
                    try #require(isInTime, "it is \(String(describing: before)) after \(looks) looks")
                    let status = try await world.system.client.call(ClockStatus.self, to: .monitor, Empty())
                    let after = try await world.deliveries().first?.state
                    guard before != nil, after != .parked else { continue }
                    #expect(status.busy > 0 || status.jobs > 0)
                    looks += 1
                }
                #expect(looks > 5)
                try await eventually {
                    let status = try await world.system.client.call(ClockStatus.self, to: .monitor, Empty())
                    if status.busy != 0 { throw NotYet("busy \(status.busy)") }
                }
            }
        }
    }
}
