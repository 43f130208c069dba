import STPlatform

/// Plays scenarios.
package enum Simulation {
    /// Real processes of their own, in a folder that is gone afterwards.
    ///
    /// `programs` is where their executables lie; nil is the folder of this one. `afterwards` can still ask the services.
    package static func withProcesses(
        _ scenario: Scenario,
        programs: String? = nil,
        asPhone: Bool = false,
        progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in },
        afterwards: @escaping @Sendable (SimulatedServices) async throws -> Void = { _ in }
    ) async throws -> SimulationOutcome {
        try await SimulationRun(
            scenario,
            on: try SystemBackend(
                programs: try programs ?? ProgramsFolder.own(),
                configuration: asPhone ? PhoneManners.configuration : ""
            ),
            asPhone: asPhone,
            progress: progress
        ).run(afterwards)
    }

    /// The cores of the services within this process: no processes, no sockets, and built-in rules only.
    package static func inProcess(
        _ scenario: Scenario,
        asPhone: Bool = false,
        progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in },
        afterwards: @Sendable (SimulatedServices) async throws -> Void = { _ in }
    ) async throws -> SimulationOutcome {
        guard scenario.apps.isEmpty else { throw SimulationRun.placed(CoreBackend.needsProcesses, "/apps") }
        return try await SimulationRun(
            scenario,
            on: try CoreBackend(asPhone: asPhone),
            asPhone: asPhone,
            progress: progress
        ).run(afterwards)
    }
}
