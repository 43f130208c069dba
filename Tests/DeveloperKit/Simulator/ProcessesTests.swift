import STContracts
import STPlatform
import STSimulation
import STTestSupport
import Testing

@Suite("Scenarios with real processes", .serialized)
struct ProcessesTests {
    @Test(
        "A scenario meets its expectations with real processes, with the same output as within one process",
        arguments: ScenarioFiles.names
    )
    func scenarios(_ name: String) async throws {
        let scenario = try ScenarioFiles.read(name)
        let outcome = try await Simulation.withProcesses(scenario)

        #expect(outcome.isMet, "\(OutcomeText(outcome).text)")
        guard scenario.apps.isEmpty else { return }
        let other = try await Simulation.inProcess(scenario)
        #expect(outcome.report == other.report)
        #expect(OutcomeText(outcome).text == OutcomeText(other).text)
    }

    @Test("A scenario with real processes leaves no folder behind after a rejection or a cancellation")
    func clean() async throws {
        let before = Leftovers.now()
        let text = ScenarioExample.text.replacing(
            "\"limit\": [\"org.example.chess\"], \"of\": \"30m\"",
            with: "\"limit\": [\"a\"], \"of\": \"40h\""
        )
        let problem = await refused {
            _ = try await Simulation.withProcesses(try ScenarioFiles.read(text: text))
        }
        #expect(problem?.field == "/rules/0")
        let scenario = try ScenarioFiles.read("rules.json")
        let task = Task {
            try await Simulation.withProcesses(scenario) { _, _ in withUnsafeCurrentTask { $0?.cancel() } }
        }
        let cancelled = await refused { _ = try await task.value }

        #expect(cancelled != nil)
        try await Leftovers.vanish(since: before)
    }
}
