import Foundation
import STContracts
import STFoundationTypes
import STFrameworkSamples
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import DeviceActivity
@testable import FamilyControls

extension ServicesSuite {
    @Suite("Monitoring with activity-center")
    struct CenterTests {
        private let shortest = DeviceActivitySchedule(
            intervalStart: DateComponents(hour: 8, minute: 0),
            intervalEnd: DateComponents(hour: 8, minute: 15),
            repeats: true
        )

        private func until(_ minute: Int, of hour: Int = 8, repeats: Bool = true) -> DeviceActivitySchedule {
            DeviceActivitySchedule(
                intervalStart: DateComponents(hour: 8, minute: 0),
                intervalEnd: DateComponents(hour: hour, minute: minute),
                repeats: repeats
            )
        }

        private func error(
            _ desk: AppDesk,
            schedule: DeviceActivitySchedule,
            events: [DeviceActivityEvent.Name: DeviceActivityEvent] = [:],
            name: String = "refused"
        ) -> String? {
            do {
                try desk.center.startMonitoring(DeviceActivityName(name), during: schedule, events: events)
                return nil
            } catch let error as DeviceActivityCenter.MonitoringError {
                return "\(error)"
            } catch let error as ScreenTimeProblem {
                return error.code
            } catch {
                return "\(error)"
            }
        }

        @Test("Monitored activities are listed, replaced, and stopped by name or all together")
        func story() async throws {
            try await TestSystem.run(services: [.auth, .activity]) { system in
                try await system.approve("promise")
                let desk = try AppDesk("promise", system.directories)
                defer { desk.close() }
                let chosen = try FamilyActivitySelection.choosing(
                    [
                        TokenItem(kind: .application, id: "firefox"), TokenItem(kind: .category, id: "games"),
                        TokenItem(kind: .domain, id: "news.example"),
                    ],
                    includeEntireCategory: false,
                    link: desk.link
                )
                #expect(chosen.applicationTokens.count == 1 && chosen.webDomainTokens.count == 1)
                let events: [DeviceActivityEvent.Name: DeviceActivityEvent] = [
                    .limit: DeviceActivityEvent(
                        applications: chosen.applicationTokens,
                        categories: chosen.categoryTokens,
                        webDomains: chosen.webDomainTokens,
                        threshold: DateComponents(minute: 30),
                        includesPastActivity: true
                    ),
                    DeviceActivityEvent.Name("all"): DeviceActivityEvent(threshold: DateComponents(hour: 1)),
                ]

                #expect(desk.center.activities == [])
                try desk.center.startMonitoring(.daily, during: wholeDay, events: events)
                try desk.center.startMonitoring(DeviceActivityName("other"), during: shortest)

                #expect(Set(desk.center.activities) == [.daily, DeviceActivityName("other")])
                #expect(desk.center.schedule(for: .daily) == wholeDay)
                #expect(desk.center.events(for: .daily) == events)
                #expect(desk.center.schedule(for: DeviceActivityName("none")) == nil)
                #expect(desk.center.events(for: DeviceActivityName("none")).isEmpty)

                desk.center.stopMonitoring([DeviceActivityName("none"), .daily])
                #expect(desk.center.activities == [DeviceActivityName("other")])
                try desk.center.startMonitoring(.daily, during: shortest)
                #expect(desk.center.schedule(for: .daily) == shortest)
                desk.center.stopMonitoring()
                #expect(desk.center.activities == [])
            }
        }

        @Test("Each refusal to monitor throws Apple's error or a problem with a code")
        func refusals() async throws {
            try await TestSystem.run(services: [.auth, .activity]) { system in
                let desk = try AppDesk("promise", system.directories)
                defer { desk.close() }
                #expect(error(desk, schedule: shortest) == "unauthorized")
                try await system.approve("promise")
                let foreign = DeviceActivityEvent(
                    applications: [ApplicationToken(data: Data([1, 2, 3]))],
                    threshold: DateComponents(minute: 1)
                )
                let mixed = DeviceActivitySchedule(
                    intervalStart: DateComponents(hour: 8),
                    intervalEnd: DateComponents(year: 2031, month: 1, day: 1, hour: 9),
                    repeats: false
                )
                let long = DeviceActivitySchedule(
                    intervalStart: DateComponents(year: 2031, month: 1, day: 1, hour: 8),
                    intervalEnd: DateComponents(year: 2031, month: 1, day: 9, hour: 8),
                    repeats: false
                )

                #expect(error(desk, schedule: until(14)) == "intervalTooShort")
                #expect(error(desk, schedule: long) == "intervalTooLong")
                #expect(error(desk, schedule: mixed) == "invalidDateComponents")
                #expect(
                    error(
                        desk,
                        schedule: shortest,
                        events: [.limit: DeviceActivityEvent(threshold: DateComponents(minute: 0))]
                    )
                        == "invalidDateComponents"
                )
                #expect(
                    error(desk, schedule: shortest, events: [.limit: foreign])?.hasPrefix("token.") == true
                )
                #expect(error(desk, schedule: shortest, name: "")?.hasPrefix("activity.") == true)
                for number in 1...20 { #expect(error(desk, schedule: shortest, name: "n\(number)") == nil) }
                #expect(error(desk, schedule: shortest, name: "n21") == "excessiveActivities")
                #expect(desk.center.activities.count == 20)
            }
        }

        @Test("Synchronous calls complete from more tasks than there are threads")
        func manyTasks() async throws {
            try await TestSystem.run(services: [.auth, .activity]) { system in
                try await system.approve("promise")
                let desk = try AppDesk("promise", system.directories)
                defer { desk.close() }
                try desk.center.startMonitoring(.daily, during: shortest)

                let counts = await withTaskGroup(of: Int.self) { group in
                    for _ in 0..<40 { group.addTask { desk.center.activities.count } }
                    return await group.reduce(into: []) { $0.append($1) }
                }

                #expect(counts == Array(repeating: 1, count: 40))
            }
        }

        @Test("Without activity-center, starting to monitor throws a problem and stopping has no effect")
        func noService() throws {
            let scratch = try ScratchDirectory()
            let desk = try AppDesk("promise", scratch.directories)
            defer { desk.close() }

            #expect(desk.center.activities == [])
            #expect(error(desk, schedule: shortest) == "service.not_running")
            desk.center.stopMonitoring()
        }
    }
}
