import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension SystemSuite {
    @Suite(
        "From the desktop to the extension, on the real clock",
        .enabled(if: BuiltTree.hasKit, "uses a program of the developer kit")
    )
    struct ThresholdStoryTests {
        @Test(
            "after two seconds in front of a game, and not before, the app that asked gets the event with its count"
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
                // Not at the agent's next beat, which comes three seconds later.
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

        /// How a service goes and comes back.
        enum Trouble: CaseIterable, Sendable { case restart, kill }

        @Test(
            "each service that goes and comes back in the middle changes nothing",
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
                // Who is stopped in the middle of a callback makes it again, and says that it does.
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
