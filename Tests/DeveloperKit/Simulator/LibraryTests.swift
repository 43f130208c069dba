import Foundation
import ScreenTimeSimulation
import Testing

@Suite("The library for the tests of an app")
struct LibraryTests {
    private let json = """
        {
          "name": "a limit", "zone": "UTC", "start": "2026-05-04 10:00",
          "rules": [{ "limit": ["chess"], "of": "10m", "name": "chess", "say": "Enough." }],
          "steps": [{ "use": "chess", "for": "20m" }],
          "expect": [{ "callback": "eventDidReachThreshold", "activity": "chess", "at": "2026-05-04 10:11" }]
        }
        """

    @Test(
        "The library plays a scenario and returns its callbacks, notifications and unmet expectations",
        arguments: [
            SimulatedScreenTime.Stage.inProcess, .processes,
        ]
    )
    func play(_ stage: SimulatedScreenTime.Stage) async throws {
        let outcome = try await SimulatedScreenTime.play(ScreenTimeScenario(json: json), on: stage)

        #expect(!outcome.isMet)
        #expect(outcome.unmet.count == 1)
        #expect(
            outcome.unmet.first?.hasPrefix("line 5: eventDidReachThreshold(chess) at 2026-05-04 10:11")
                == true
        )
        let reached = try #require(outcome.callbacks.first { $0.method == "eventDidReachThreshold" })
        #expect(reached.activity == "chess" && reached.app == "screentime.rules" && reached.member == "me")
        #expect(reached.date == Date(timeIntervalSince1970: 1_777_889_400))
        #expect(outcome.notifications.contains { $0.text.contains("Enough.") && $0.date == reached.date })
        #expect("\(outcome)".contains("NOT MET (line 5)"))
    }

    @Test("The library rejects an invalid scenario with its line")
    func refusal() {
        let bad = json.replacing("\"use\"", with: "\"used\"")
        #expect {
            _ = try ScreenTimeScenario(json: bad)
        } throws: { error in
            (error as? SimulationError)?.code == "scenario.unknown_field"
                && error.localizedDescription.hasPrefix("Line 4: ")
        }
    }
}
