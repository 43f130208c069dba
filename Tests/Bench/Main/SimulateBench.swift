import STPlatform
import STSimulation

/// How fast virtual time passes.
struct SimulateBench {
    private let isShort: Bool

    init(isShort: Bool) { self.isShort = isShort }

    func run() async throws -> [Figure] {
        let weekDays = isShort ? 1 : 7
        let week = try await seconds(days: weekDays) { try await Simulation.withProcesses($0) }
        let yearDays = isShort ? 14 : 365
        let year = try await seconds(days: yearDays) { try await Simulation.inProcess($0) }
        return [
            Figure(
                bench: "simulate",
                name: "\(weekDays) days of four people, real processes",
                value: week,
                unit: "s",
                bar: isShort ? .none : .atMost(10)
            ),
            Figure(
                bench: "simulate",
                name: "\(yearDays) days of them within one process",
                value: year,
                unit: "s",
                bar: isShort ? .none : .atMost(30)
            ),
        ]
    }

    private func seconds(days: Int, _ play: (Scenario) async throws -> SimulationOutcome) async throws
        -> Double
    {
        let scenario = try ScenarioReader.read(Array(BusyWeeks.json(days: days).utf8), folder: "/")
        let start = Stopwatch.nanoseconds()
        let outcome = try await play(scenario)
        // A simulation in which nothing is told would be fast.
        guard outcome.timeline.count > 24 * days else {
            throw Problem(
                "bench.nothing_told",
                "Only \(outcome.timeline.count) things were told in \(days) days."
            )
        }
        return Double(Stopwatch.nanoseconds() - start) / 1e9
    }
}
