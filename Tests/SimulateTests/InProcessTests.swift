import STPlatform
import STSimulation
import Testing

@Suite("A simulation within one process")
struct InProcessTests {
    private func play(_ text: String) async throws -> SimulationOutcome {
        let scenario = try ScenarioReader.read(Array(text.utf8), folder: "/")
        return try await Simulation.inProcess(scenario)
    }

    @Test("plays the example, and all that it expects comes true to the millisecond")
    func example() async throws {
        let outcome = try await play(ScenarioExample.text)

        #expect(outcome.isMet, "\(OutcomeText(outcome).text)")
        print(OutcomeText(outcome).text)
        #expect(try await play(ScenarioExample.text) == outcome)
    }
}
