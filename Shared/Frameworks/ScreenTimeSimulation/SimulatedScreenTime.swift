import STContracts
import STPlatform
import STSimulation

/// Plays scenarios in virtual time.
public enum SimulatedScreenTime {
    /// Where a scenario is played.
    public enum Stage: Sendable {
        /// With real processes of its own, the extensions of apps among them.
        case processes
        /// Within this process: no extension is called, and a year passes in seconds.
        case inProcess
    }

    /// Plays a scenario to its end.
    ///
    /// `asPhone` does as a phone does where the default here is kinder, and tells of each silence. Throws
    /// `SimulationError` when the scenario cannot be played; what was expected and did not happen is in the outcome.
    public static func play(
        _ scenario: ScreenTimeScenario,
        on stage: Stage = .processes,
        asPhone: Bool = false
    ) async throws -> SimulatedOutcome {
        do {
            let outcome =
                switch stage {
                case .processes:
                    try await Simulation.withProcesses(
                        scenario.scenario,
                        programs: try ProgramsFolder.found(),
                        asPhone: asPhone
                    )
                case .inProcess: try await Simulation.inProcess(scenario.scenario, asPhone: asPhone)
                }
            return SimulatedOutcome(outcome, scenario.text)
        } catch {
            throw SimulationError(error, text: scenario.text)
        }
    }
}
