import STSimulation
import Testing

@Suite("Thresholds of scenarios drawn by lot", .serialized)
struct GeneratedScenarioTests {
    static let seeds: [UInt64] = Array(1...20)

    private func crossings(_ outcome: SimulationOutcome) -> Set<String> {
        Set(
            outcome.timeline.compactMap { entry in
                guard let method = entry.method, method.hasPrefix("event") else { return nil }
                let name = method == "eventDidReachThreshold" ? "reached" : "warning"
                return "\(entry.activity ?? "")/\(entry.event ?? "") \(name) \(entry.atMs)"
            }
        )
    }

    @Test("are reached at the very millisecond that a reference works out, and at no other", arguments: seeds)
    func inProcess(_ seed: UInt64) async throws {
        let generated = GeneratedScenario(seed: seed)
        let expected = CrossingReference.crossings(generated)
        let outcome = try await Simulation.inProcess(try ScenarioFiles.read(text: generated.json))
        let found = crossings(outcome)

        #expect(found.subtracting(expected) == [], "too many, seed \(seed)")
        #expect(expected.subtracting(found) == [], "missing, seed \(seed)")
        // Told at that moment too, or with the first millisecond of use where none was needed.
        let late = outcome.timeline.filter { $0.event != nil && $0.toldMs - $0.atMs > 1 }
        #expect(late == [], "late, seed \(seed)")
    }

    @Test("the reference finds enough to hold anything against")
    func reference() {
        let counts = Self.seeds.map { CrossingReference.crossings(GeneratedScenario(seed: $0)).count }

        #expect(counts.reduce(0, +) > 200, "\(counts)")
        #expect(counts.allSatisfy { $0 > 0 }, "\(counts)")
    }

    @Test("are the same with real processes", arguments: [UInt64(1), 7, 13])
    func withProcesses(_ seed: UInt64) async throws {
        let scenario = try ScenarioFiles.read(text: GeneratedScenario(seed: seed).json)
        let outcome = try await Simulation.withProcesses(scenario)

        #expect(try await Simulation.inProcess(scenario) == outcome)
    }
}
