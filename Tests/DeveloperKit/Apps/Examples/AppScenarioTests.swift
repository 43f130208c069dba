import Foundation
import STContracts
import STPlatform
import STSimulation
import STTestSupport
import Testing

extension ExampleAppSuite {
    @Suite("Example apps in virtual time")
    struct AppScenarioTests {
        private static let folder = URL(filePath: BuiltTree.source("Tests/Scenarios"))

        private func text(_ name: String) throws -> String {
            try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
        }

        /// Plays a scenario. `more` contains additional steps as JSON objects.
        private func play(
            _ text: String,
            asPhone: Bool = false,
            more: [String] = []
        ) async throws -> SimulationOutcome {
            let extra = more.map { ",\n" + $0 }.joined()
            let end = try #require(text.range(of: "\n  ],\n  \"expect\""))
            let whole = text.replacingCharacters(in: end, with: "\(extra)\n  ],\n  \"expect\"")
            let scenario = try ScenarioReader.read(Array(whole.utf8), folder: Self.folder.path)
            return try await Simulation.withProcesses(scenario, asPhone: asPhone)
        }

        private func callbacks(_ outcome: SimulationOutcome) -> [String] {
            outcome.timeline.compactMap { entry in
                entry.method.map {
                    "\(entry.at.ms) \($0)(\(entry.event ?? "")) \(entry.callback?.state.rawValue ?? "-")"
                }
            }
        }

        private func notifications(_ outcome: SimulationOutcome) -> [String] {
            outcome.timeline.filter { $0.kind == .notification }.map { "\($0.at.ms) \($0.text ?? "")" }
        }

        /// Output of the apps' commands.
        private func said(_ outcome: SimulationOutcome) -> [String] {
            outcome.timeline.filter { $0.kind == .step && $0.text?.hasPrefix("  ") == true }.compactMap(
                \.text
            )
        }

        @Test(
            "Three days of the promise app give exact thresholds and all six callbacks, and repeat identically"
        )
        func promise() async throws {
            let outcome = try await play(text("promise-day.json"))

            #expect(outcome.isMet, "\(OutcomeText(outcome).text)")
            #expect(Set(outcome.timeline.compactMap(\.method)).count == 6)
            #expect(callbacks(outcome).allSatisfy { $0.hasSuffix(" done") })
            #expect(said(outcome).contains("  Promises kept: 1, broken: 2. In a row: 0. Today: broken."))
            #expect(try await play(text("promise-day.json")) == outcome)
        }

        @Test("A month of the streaks app has missed and complete days, also over the day of 25 hours")
        func streaks() async throws {
            let outcome = try await play(text("streaks-month.json"))

            #expect(outcome.isMet, "\(OutcomeText(outcome).text)")
            let said = said(outcome)
            #expect(said.contains("  Less firefox: 9 in a row, longest 14"))
            #expect(said.contains("  More code: 0 in a row, longest 5"))
            #expect(said.contains("   2✗  3✗  4✗  5✗  6✗  7✗  8✗"))
        }

        @Test("With the limits of a phone, the promise app counts the same kept and broken days")
        func asPhone() async throws {
            let outcome = try await play(text("promise-day.json"), asPhone: true)

            #expect(callbacks(outcome).allSatisfy { $0.hasSuffix(" done") })
            #expect(callbacks(outcome).count < callbacks(try await play(text("promise-day.json"))).count)
            #expect(said(outcome).contains("  Promises kept: 1, broken: 2. In a row: 0. Today: broken."))
        }

        @Test(
            "Killing services and extensions changes neither callbacks nor notifications of the promise app"
        )
        func killed() async throws {
            let wanted = try await play(text("promise-day.json"))
            let kills = [
                ("2026-11-20 07:30", "extension"), ("2026-11-20 08:10", "activity-center"),
                ("2026-11-20 12:04", "monitor-runner"), ("2026-11-20 12:05:00.500", "extension"),
                ("2026-11-20 12:07", "notifier"), ("2026-11-20 12:10:00.499", "auth-service"),
                ("2026-11-20 23:59:59", "monitor-runner"), ("2026-11-21 10:24", "activity-center"),
                ("2026-11-22 10:19:59.999", "monitor-runner"), ("2026-11-22 10:20", "extension"),
            ]
            let outcome = try await play(
                text("promise-day.json"),
                more: kills.map { "{ \"at\": \"\($0.0)\", \"kill\": \"\($0.1)\" }" }
            )

            #expect(outcome.isMet, "\(OutcomeText(outcome).text)")
            #expect(callbacks(outcome) == callbacks(wanted))
            #expect(notifications(outcome) == notifications(wanted))
            #expect(said(outcome) == said(wanted))
        }
    }
}
