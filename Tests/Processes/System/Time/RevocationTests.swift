import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension SystemSuite {
    @Suite(
        "A revoked permission",
        .enabled(if: BuiltTree.hasKit, "uses a program of the developer kit")
    )
    struct RevocationTests {
        /// The cause of a revocation: the app gives up its permission, or the person turns it off.
        enum Way: CaseIterable, Sendable { case revoked, turnedOff }

        @Test(
            "A revoked permission stops monitoring everywhere, even while the monitored app is in use",
            arguments: Way.allCases
        )
        func holds(_ way: Way) async throws {
            try await TestSystem.run(services: [.auth, .activity, .monitor, .desktop]) { system in
                let app = try await WatchedApp.watch(system, seconds: 1...30)
                _ = try await app.play()
                try await app.reached(2)

                try await take(way, app)
                let startMs = Stopwatch.milliseconds()
                try await eventually("no activity is monitored") {
                    let watched = try await system.client.call(ActivityList.self, .init(app: WatchedApp.app))
                    guard watched.activities.isEmpty else { throw NotYet("\(watched.activities)") }
                }
                let goneWallMs = SystemTimeSource().now().wallMs
                print("\(way): nothing watched any more after \(Stopwatch.milliseconds() - startMs) ms")
                #expect(await refusal { try await app.start() } == "activity.unauthorized")
                try await eventually("the rest of the game is recorded") {
                    let open = try await system.client.call(UsageNow.self, Empty()).open
                    let seen = open.filter { $0.app == WatchedApp.game }.map(\.durationMs).max() ?? 0
                    guard seen > 5_000 else { throw NotYet("\(open)") }
                }

                try await nothingAfter(goneWallMs, app)
                let stopped = try await system.events(.activity, of: .activity)
                    .filter { $0.header.type == MonitoringStopped.type }
                    .map { try $0.decoded(MonitoringStopped.self).reason }
                #expect(stopped == [.revoked])
                try await nothingWaits(app)
            }
        }

        /// Checks that no event was sent later. Events sent until then may still be printed.
        private func nothingAfter(_ wallMs: Int64, _ app: WatchedApp) async throws {
            let told = try await app.thresholds().map(\.body)
            #expect(told.allSatisfy { $0.dueWallMs <= wallMs })
            let seconds = told.compactMap { $0.event.flatMap { Int($0.dropFirst()) } }
            let allowed = [WatchedApp.begun] + seconds.map(WatchedApp.line)
            let printed = try await app.log().filter { $0.source == "print" }.map(\.text)
            #expect(Set(printed).isSubset(of: allowed))
        }

        private func nothingWaits(_ app: WatchedApp) async throws {
            try await eventually("no delivery is waiting") {
                let open = try await app.deliveries().filter { $0.state != .done && $0.state != .parked }
                guard open.isEmpty else { throw NotYet("\(open)") }
            }
        }

        private func take(_ way: Way, _ app: WatchedApp) async throws {
            let client = app.system.client
            switch way {
            case .revoked: _ = try await client.call(AuthRevoke.self, .init(app: WatchedApp.app))
            case .turnedOff:
                let reply = try await client.call(AuthSwitch.self, .init(app: WatchedApp.app, access: false))
                #expect(reply.refusal == nil && reply.authorization.status == .denied)
            }
        }
    }
}
