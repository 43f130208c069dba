package import STContracts
import STPlatform

/// Plays scenarios.
package enum Simulation {
    /// Real processes of their own, in a folder that is gone afterwards.
    ///
    /// `programs` is where their executables lie; nil is the folder of this one. `faults` are a phone's, so they bring its
    /// manners with them. `afterwards` can still ask the services.
    package static func withProcesses(
        _ scenario: Scenario,
        programs: String? = nil,
        asPhone: Bool = false,
        faults: [PhoneFault] = [],
        progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in },
        afterwards: @escaping @Sendable (SimulatedServices) async throws -> Void = { _ in }
    ) async throws -> SimulationOutcome {
        let asPhone = asPhone || !faults.isEmpty
        return try await SimulationRun(
            scenario,
            on: try SystemBackend(
                programs: try programs ?? ProgramsFolder.own(),
                configuration: asPhone ? PhoneManners.configuration(faults) : "",
                faults: faults
            ),
            asPhone: asPhone,
            faults: faults,
            progress: progress
        ).run(afterwards)
    }

    /// The cores of the services within this process: no processes, no sockets, and built-in rules only.
    ///
    /// `folder` keeps their databases.
    package static func inProcess(
        _ scenario: Scenario,
        asPhone: Bool = false,
        keeping folder: String? = nil,
        progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in },
        afterwards: @Sendable (SimulatedServices) async throws -> Void = { _ in }
    ) async throws -> SimulationOutcome {
        guard scenario.apps.isEmpty else { throw CoreBackend.needsProcesses.placed(at: "/apps") }
        return try await SimulationRun(
            scenario,
            on: try CoreBackend(asPhone: asPhone, folder: folder),
            asPhone: asPhone,
            progress: progress
        ).run(afterwards)
    }
}

/// The services at the end of a scenario, for questions about how it ended.
package struct SimulatedServices: Sendable {
    private let backend: any SimulationBackend

    init(_ backend: any SimulationBackend) { self.backend = backend }

    package func call<R: Route>(_ route: R.Type, _ request: R.Request) async throws -> R.Reply {
        try await backend.call(route, request)
    }
}

/// The system that a scenario is played on: real processes, or their rules within this one.
protocol SimulationBackend: Sendable {
    /// Where the clock stands at the start; the system answers when this returns.
    func start(_ face: ClockFace) async throws

    /// Asks a service, as the owner of the account would.
    func call<R: Route>(_ route: R.Type, _ request: R.Request) async throws -> R.Reply

    /// Sets the clock and wakes no service.
    func show(_ face: ClockFace) async throws

    /// Wakes the services that are due, and returns once the system is quiet.
    func settle() async throws

    /// The earliest moments that any service waits for.
    var nextDue: DueMoments { get async }

    /// What was published on a stream since the last time, in order.
    func news(of stream: StreamName) async throws -> [WireEvent]

    /// Ends a process as a power cut would, and returns once its successor answers.
    func kill(_ program: String) async throws

    /// Runs the command of an installed app to its end, and gives the lines it wrote.
    func run(_ words: [String], member: String?) async throws -> [String]

    /// Where executables of apps are looked for that are not in their bundles; nil within one process.
    var programs: String? { get async }

    /// The folder with the containers of apps' groups; nil within one process, where no extension runs.
    var state: String? { get async }

    /// A bundle whose monitor does nothing, for activities that belong to no app of the scenario's.
    func simulatedApp() async throws -> AppInstall.Request

    func stop() async
}
