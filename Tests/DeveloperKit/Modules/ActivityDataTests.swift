import Foundation
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

@testable import DeviceActivity

extension ServicesSuite {
    @Suite("Usage data for apps")
    struct ActivityDataTests {
        private static let services: [ServiceName] = [.auth, .activity, .report]

        private struct Use: Equatable {
            var apps: [String: TimeInterval] = [:]
            var total: TimeInterval = 0
            var hasTokens = true
        }

        /// Simulates desktop-agent: each app was in the foreground for its seconds, beginning one hour ago.
        private func observe(_ system: TestSystem, _ uses: [(app: String, seconds: Int64)]) async throws {
            let member = try await system.client.call(MemberList.self, Empty()).members[0].name
            let start = SystemTimeSource().now().wallMs - 3_600_000
            var seen: [Observation] = []
            var passed: Int64 = 0
            for (app, seconds) in uses {
                // The service counts a longer interval between observations as no usage.
                for step in stride(from: 0, through: seconds * 1_000, by: 10_000) {
                    let ms = 1_000_000 + passed + step
                    seen.append(
                        Observation(
                            sequence: Int64(seen.count + 1),
                            bootId: "boot-1",
                            at: TimeReading(wallMs: start + passed + step, bootMs: ms, monotonicMs: ms),
                            zone: "UTC",
                            member: member,
                            presence: .active,
                            app: app
                        )
                    )
                }
                passed += seconds * 1_000
            }
            let request = UsageObserve.Request(agent: "agent-1", run: "run-1", observations: seen)
            _ = try await system.client.call(UsageObserve.self, request)
        }

        private func read(_ desk: AppDesk) async throws -> Use {
            let now = Date()
            let during = DateInterval(start: now - 3 * 3_600, end: now + 3_600)
            let filter = DeviceActivityFilter(segment: .hourly(during: during))
            var use = Use()
            for try await data in DeviceActivityData.activityData(filteredBy: filter, link: desk.link) {
                for await segment in data.activitySegments {
                    use.total += segment.totalActivityDuration
                    for await category in segment.categories {
                        for await app in category.applications {
                            let id = app.application.bundleIdentifier ?? "-"
                            use.apps[id, default: 0] += app.totalActivityDuration
                            use.hasTokens = use.hasTokens && app.application.token != nil
                        }
                    }
                }
            }
            return use
        }

        private func error(_ desk: AppDesk) async -> DeviceActivityData.Error? {
            do {
                _ = try await read(desk)
                return nil
            } catch {
                return error as? DeviceActivityData.Error
            }
        }

        @Test("An app reads usage data only while it has permission")
        func story() async throws {
            try await TestSystem.run(services: Self.services) { system in
                let bundle = try AppBundle(in: system.scratch, id: "promise").path
                _ = try await system.client.call(AppInstall.self, .init(bundle: bundle))
                let desk = try AppDesk("promise", system.directories)
                defer { desk.close() }
                #expect(await error(desk) == .unauthorized)

                try await system.approve("promise", bundle: bundle)
                try await observe(system, [("org.example.editor", 180), ("org.example.browser", 120)])
                let wanted = Use(
                    apps: ["org.example.editor": 180, "org.example.browser": 120],
                    total: 300
                )
                try await eventually(within: .seconds(60), "the app reads the recorded usage") {
                    let use = try await read(desk)
                    guard use == wanted else { throw NotYet("\(use)") }
                }

                _ = try await system.client.call(AuthSwitch.self, .init(app: "promise", access: false))
                #expect(await error(desk) == .unauthorized)
            }
        }

        @Test("Reading usage data fails as unavailable if the service is not running")
        func noService() async throws {
            let scratch = try ScratchDirectory()
            let desk = try AppDesk("promise", scratch.directories)
            defer { desk.close() }
            #expect(await error(desk) == .unavailable)
        }
    }
}
