import STContracts
import STPlatform

/// The system that a scenario is played on: real processes, or their rules within this one.
protocol SimulationBackend: Sendable {
    /// Where the clock stands at the start; the system answers when this returns.
    func start(_ face: ClockFace) async throws

    /// Asks a service, as the owner of the account would.
    func call<R: Route>(_ route: R.Type, _ request: R.Request) async throws -> R.Reply

    /// Sets the clock and wakes nobody.
    func show(_ face: ClockFace) async throws

    /// Wakes whoever is due, and returns once all that anything has led to is done.
    func settle() async throws

    /// The earliest moments that anybody waits for.
    var nextDue: DueMoments { get async }

    /// What was told on a stream since the last time, in order.
    func news(of stream: StreamName) async throws -> [WireEvent]

    /// Ends a process as a power cut would, and returns once its successor answers.
    func kill(_ program: String) async throws

    /// Runs the command of an installed app to its end, and gives the lines it wrote.
    func run(_ words: [String], member: String?) async throws -> [String]

    /// Where executables of apps are looked for that are not in their bundles; nil within one process.
    var programs: String? { get async }

    /// A bundle whose monitor does nothing, for activities that belong to no app of the scenario's.
    func simulatedApp() async throws -> AppInstall.Request

    func stop() async
}
