package import STContracts
import STPlatform

/// Simulates scenarios.
package enum Simulation {
    /// Simulates a scenario with real processes, in a folder that is deleted afterwards.
    ///
    /// `programs` is the folder with their executables, or `nil` for the folder of this program. `faults` are known faults of
    /// phones, so they imply `asPhone`. `afterwards` can still send requests to the services.
    package static func withProcesses(
        _ scenario: Scenario,
        programs: String? = nil,
        asPhone: Bool = false,
        faults: [PhoneFault] = [],
        progress: @escaping @Sendable (Duration, Duration) -> Void = { _, _ in },
        afterwards: @escaping @Sendable (SimulatedServices) async throws -> Void = { _ in }
    ) async throws -> SimulationOutcome {
        let asPhone = asPhone || !faults.isEmpty
        return try await SimulationRun(
            scenario,
            on: try SystemBackend(
                programs: try programs ?? ProgramsFolder.own(),
                configuration: asPhone ? PhoneQuirks.configuration(faults) : "",
                faults: faults
            ),
            asPhone: asPhone,
            faults: faults,
            progress: progress
        ).run(afterwards)
    }

    /// Simulates a scenario with the cores of the services in this process. There are no processes or sockets, and only built-in
    /// rules have an effect.
    ///
    /// `folder` keeps the databases of the services.
    package static func inProcess(
        _ scenario: Scenario,
        asPhone: Bool = false,
        keeping folder: String? = nil,
        progress: @escaping @Sendable (Duration, Duration) -> Void = { _, _ in },
        afterwards: @Sendable (SimulatedServices) async throws -> Void = { _ in }
    ) async throws -> SimulationOutcome {
        guard scenario.apps.isEmpty else { throw CoreBackend.needsProcesses.located(at: "/apps") }
        return try await SimulationRun(
            scenario,
            on: try CoreBackend(asPhone: asPhone, folder: folder),
            asPhone: asPhone,
            progress: progress
        ).run(afterwards)
    }
}

/// The services at the end of a scenario, for requests about the final state.
package struct SimulatedServices: Sendable {
    private let backend: any SimulationBackend

    init(_ backend: any SimulationBackend) { self.backend = backend }

    package func call<R: Route>(_ route: R.Type, _ request: R.Request) async throws -> R.Reply {
        try await backend.call(route, request)
    }
}

/// The system that a scenario is simulated on: real processes, or the services' rules in this process.
protocol SimulationBackend: Sendable {
    /// Starts the system with a clock. It is ready for requests when this method returns.
    func start(_ face: ClockState) async throws

    /// Sends a request to a service, as the owner of the account.
    func call<R: Route>(_ route: R.Type, _ request: R.Request) async throws -> R.Reply

    /// Sets the clock without waking a service.
    func setClock(_ face: ClockState) async throws

    /// Wakes the services that are due, and returns when the system is idle.
    func waitUntilIdle() async throws

    /// The earliest moments for which any service waits.
    var nextDue: Deadlines { get async }

    /// Returns the events published on a stream since the last call, in order.
    func events(of stream: StreamName) async throws -> [WireEvent]

    /// Kills a process as a power cut would, and returns when its successor replies.
    func kill(_ program: String) async throws

    /// Runs the command of an installed app to its end and returns its output lines.
    func run(_ words: [String], member: String?) async throws -> [String]

    /// The folder with the executables of apps that are not in their bundles. `nil` without processes.
    var programs: String? { get async }

    /// The folder with the containers of apps' groups. `nil` without processes, because no extension runs.
    var state: String? { get async }

    /// Returns an app whose monitor does nothing, for activities that belong to no app in the scenario.
    func simulatedApp() async throws -> AppInstall.Request

    func stop() async
}
