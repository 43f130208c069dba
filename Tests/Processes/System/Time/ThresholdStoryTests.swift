import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension SystemSuite {
    @Suite(
        "Thresholds from the desktop to the extension on the real clock",
        .enabled(if: BuiltTree.hasKit, "uses a program of the developer kit")
    )
    struct ThresholdStoryTests {
        @Test(
            "After two seconds in the foreground an app's threshold event is delivered with its count, not before"
        )
        func story() async throws {
            try await TestSystem.run(services: ServiceName.all) { system in
                let app = try await WatchedApp.watch(system, seconds: 2...2)
                let lag = try MachineLag()
                defer { lag.stop() }
                let startMs = try await app.play()
                let line = try await app.reached(2)
                let lagMs = lag.take()

                let told = try #require(try await app.thresholds().first)
                #expect(told.body.dueWallMs == startMs + 2_000)
                #expect(told.body.evidence.countedMs == 2_000)
                #expect(told.body.evidence.thresholdMs == 2_000)
                #expect(told.body.evidence.parts.map(\.ms) == [2_000])
                #expect(told.body.evidence.parts.map(\.app) == [WatchedApp.game])
                #expect(told.event.header.timeMs >= told.body.dueWallMs)
                #expect(line.wallMs >= told.event.header.timeMs)
                // It is not reported with the agent's next beat, which follows three seconds later.
                #expect(told.event.header.timeMs < told.body.dueWallMs + 2_000 + 3 * lagMs)
                #expect(line.source == "print" && line.attempt == 1)
                #expect(try await app.log().map(\.text) == [WatchedApp.begun, WatchedApp.line(2)])
                try await eventually("both callbacks are done") {
                    let all = try await app.deliveries()
                    guard all.allSatisfy({ $0.state == .done }) else { throw NotYet("\(all)") }
                    #expect(all.map(\.method) == ["intervalDidStart", "eventDidReachThreshold"])
                    #expect(all.last?.id == told.event.header.id)
                    #expect(all.last?.delivery == line.delivery)
                }
                print(
                    "commit \(told.event.header.timeMs - told.body.dueWallMs) ms late, "
                        + "the extension's line \(line.wallMs - told.body.dueWallMs) ms"
                )
            }
        }

        /// The kind of a service's interruption.
        enum Trouble: CaseIterable, Sendable { case restart, kill }

        @Test(
            "Restarting or killing each service during monitoring loses and repeats no threshold event",
            arguments: Trouble.allCases
        )
        func trouble(_ trouble: Trouble) async throws {
            try await TestSystem.run(services: [.auth, .activity, .monitor, .desktop]) { system in
                let app = try await WatchedApp.watch(system, seconds: 1...10)
                let startMs = try await app.play()
                for (second, service) in [
                    (2, ServiceName.activity), (4, .monitor), (6, .desktop), (8, .auth),
                ] {
                    try await app.reached(second)
                    switch trouble {
                    case .restart: try system.restart(service)
                    case .kill: try system.kill(service)
                    }
                }
                try await app.reached(10)

                let told = try await app.thresholds().map(\.body)
                #expect(told.map(\.event) == (1...10).map { "e\($0)" })
                #expect(told.map(\.dueWallMs) == (1...10).map { startMs + $0 * 1_000 })
                let wanted = [WatchedApp.begun] + (1...10).map(WatchedApp.line)
                let lines = try await app.log().filter { $0.source == "print" }
                // A service that was stopped during a callback repeats it as a further attempt.
                var known: Set<String> = []
                #expect(lines.map(\.text).filter { known.insert($0).inserted } == wanted)
                #expect(Set(lines.map { "\($0.text) \($0.attempt ?? 0)" }).count == lines.count)
                try await eventually("every callback is done") {
                    let all = try await app.deliveries()
                    guard all.allSatisfy({ $0.state == .done }) else { throw NotYet("\(all)") }
                    #expect(all.count == wanted.count)
                }
            }
        }
    }
}
