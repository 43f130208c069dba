import STPlatform
import STSimulation
import Testing

@Suite("A simulation with real processes", .serialized)
struct ProcessesTests {
    @Test("plays the example as the one within a process does")
    func example() async throws {
        let scenario = try ScenarioReader.read(Array(ScenarioExample.text.utf8), folder: "/")
        let start = Stopwatch.milliseconds()
        let outcome = try await Simulation.withProcesses(scenario)
        print("\(Stopwatch.milliseconds() - start) ms")

        #expect(outcome.isMet, "\(OutcomeText(outcome).text)")
        #expect(try await Simulation.inProcess(scenario) == outcome)
    }
}
