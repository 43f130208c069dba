import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension ExampleAppSuite {
    @Suite("The promise app on the real clock")
    struct PromiseLifeTests {
        /// Limit that the README states. A phone gives a monitor 6 MB.
        private static let privateKibMax: Int64 = 5 * 1_024

        @Test("The promise app works from setup to notification with less than 5 MB per callback")
        func life() async throws {
            try await TestSystem.run(services: ServiceName.all) { system in
                let app = try await ExampleApp.approved("promise", in: system)
                let screens = try await app.run(typed: [
                    "2", "firefox,category:games", "3", "2s", "1s", "", "", "4", "You promised.", "5", "7",
                    "q",
                ])
                #expect(screens.status == 0, "\(screens.output)")
                #expect(screens.output.contains("Permission: given"))
                #expect(screens.output.contains("The promise holds."))
                #expect(screens.output.contains("Allowance: 2s a day (00:00–23:59:59), warning 1s before"))

                try await play(system)
                let told = try await notifications(system, count: 2)
                #expect(
                    told.map(\.body) == ["You promised.", "1s left of the 2s that you promised yourself."]
                )
                #expect(told.map(\.title) == ["Promise", "Promise"])
                try await eventually("the promise is broken") {
                    let report = try await app.report()
                    guard report["is_today_broken"] as? Bool == true else { throw NotYet("\(report)") }
                    #expect(report["broken"] as? Int == 1)
                    #expect(report["names"] as? [String] == ["firefox", "category:games"])
                }
                #expect(try await app.run(["--stop"]).status == 0)

                let made = try await deliveries(system, last: "intervalDidEnd")
                #expect(made.allSatisfy { $0.state == .done && $0.attempt == 1 }, "\(made)")
                let most = made.map { $0.privateKib ?? .max }.max() ?? .max
                #expect(most < Self.privateKibMax, "\(made)")
                print("promise-monitor used at most \(most) KiB of its own in \(made.count) callbacks")
                #expect(try await app.report()["is_monitored"] as? Bool == false)
            }
        }

        @Test("The promise app restores the last choice and starts in Korean")
        func restored() async throws {
            try await TestSystem.run(services: [.auth, .activity]) { system in
                let app = try await ExampleApp.approved("promise", in: system)
                #expect(try await app.run(["--choose", "firefox", "--allowance", "30m"]).status == 0)

                let started = try await app.run(["--start", "--status"], language: "ko_KR.UTF-8")
                #expect(started.status == 0, "\(started.output)")
                #expect(started.output.contains("앱: firefox"))
                #expect(started.output.contains("허용 시간: 하루 30분 (00:00–23:59:59), 5분 전에 알림"))
                let watched = try await system.client.call(ActivityList.self, .init(app: "promise"))
                    .activities
                #expect(watched.map(\.activity) == ["daily"])
                #expect(watched.first?.events.first?.targets.count == 1)
            }
        }

        private func play(_ system: TestSystem) async throws {
            let owner = try await system.client.call(MemberList.self, Empty()).members[0].name
            let steps = [DesktopPlay.Step(app: "firefox", forMs: 60_000)]
            _ = try await system.client.call(DesktopPlay.self, .init(member: owner, steps: steps))
        }

        private func notifications(_ system: TestSystem, count: Int) async throws -> [PostedNotification] {
            try await eventually(within: .seconds(30), "\(count) notifications") {
                let all = try await system.client.call(NotifyList.self, .init(app: "promise")).notifications
                guard all.count >= count else { throw NotYet("\(all)") }
                return all
            }
        }

        private func deliveries(_ system: TestSystem, last: String) async throws -> [DeliveryView] {
            try await eventually(within: .seconds(30), "\(last) has run") {
                let all = try await system.client.call(MonitorDeliveries.self, .init(app: "promise"))
                    .deliveries
                guard all.first?.method == last, all.first?.state == .done else { throw NotYet("\(all)") }
                return all
            }
        }
    }
}
