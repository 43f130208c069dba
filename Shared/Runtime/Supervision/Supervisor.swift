import Glibc
package import STPlatform
import Synchronization

/// The options of a supervisor.
package struct SupervisorOptions: Sendable {
    package var times: LifecycleTimes
    /// True if a service that died is started again. Some tests disable this.
    package var restartsAfterFailure: Bool
    /// Shown in supervisor.json, so that a person does not mistake a demonstration for their own data.
    package var isDemo: Bool
    /// A log file larger than this is renamed to `.1`, and replaces the previous one.
    package var logBytesMax: Int
    /// Receives each line of each service, and the supervisor's own lines under the name `supervisor`.
    ///
    /// Called on the supervisor's thread. It must return soon, and must not call `stop`.
    package var sink: (@Sendable (_ service: String, _ line: String) -> Void)?

    package init(
        times: LifecycleTimes = LifecycleTimes(),
        restartsAfterFailure: Bool = true,
        isDemo: Bool = false,
        logBytesMax: Int = 8 << 20,
        sink: (@Sendable (_ service: String, _ line: String) -> Void)? = nil
    ) {
        self.times = times
        self.restartsAfterFailure = restartsAfterFailure
        self.isDemo = isDemo
        self.logBytesMax = logBytesMax
        self.sink = sink
    }
}

/// Runs services: starts them in order, restarts those that die, and stops them in reverse order.
///
/// Can be called from any thread.
package final class Supervisor: Sendable {
    private let directories: Directories
    private let specs: [ServiceSpec]
    private let options: SupervisorOptions
    private let board = SupervisorBoard()
    private let logs: Mutex<[String: ServiceLog]> = Mutex([:])
    private let loop: Mutex<SupervisorLoop?> = Mutex(nil)

    package init(
        directories: Directories,
        specs: [ServiceSpec],
        options: SupervisorOptions = SupervisorOptions()
    ) throws(Problem) {
        try ServiceSpec.check(specs)
        self.directories = directories
        self.specs = specs
        self.options = options
    }

    /// Also stops the services, without waiting for them.
    deinit {
        if let running { running.thread.post { running.stopAll() } }
    }

    /// Takes the lock and starts the services. Returns before they are ready. Call it once.
    package func start() throws(Problem) {
        let started = try loop.withLock { loop throws(Problem) in
            guard loop == nil else {
                throw Problem(
                    "supervisor.already_started",
                    "this supervisor was already started; create a new one"
                )
            }
            let made = try makeLoop()
            loop = made
            return made
        }
        started.thread.post { started.begin() }
    }

    private func makeLoop() throws(Problem) -> SupervisorLoop {
        for directory in [directories.run, directories.state, directories.logs] {
            try Directories.prepare(directory)
        }
        var made: [String: ServiceLog] = [:]
        for name in specs.map(\.name) + ["supervisor"] {
            made[name] = try ServiceLog(path: directories.log(service: name), bytesMax: options.logBytesMax)
        }
        guard let own = made["supervisor"] else {
            throw Problem(
                "supervisor.no_log",
                "the supervisor's own log is missing; report this",
                key: "supervisor.no_log.the-supervisors-own"
            )
        }
        logs.withLock { [made] in $0 = made }
        return try SupervisorLoop(
            directories: directories,
            specs: specs,
            logs: made,
            ownLog: own,
            options: options,
            board: board
        )
    }

    // MARK: - Status

    package func status() -> [ServiceStatus] { board.statuses }

    package func status(_ name: String) -> ServiceStatus? { board.statuses.first { $0.name == name } }

    /// Returns nil if no process of that name runs.
    package func pid(_ name: String) -> Int32? { board.process(name)?.pid }

    /// Returns the last lines that a service wrote, at most ten.
    package func lastLines(_ name: String) -> [String] { logs.withLock { $0[name] }?.lastLines ?? [] }

    // MARK: - Control

    /// Sends a signal to a service's process only.
    package func signal(_ name: String, _ number: Int32) throws(Problem) {
        try process(name).signal(number)
    }

    /// Sends a signal to a service and to everything that it started. A service that dies of it is restarted.
    package func kill(_ name: String, _ number: Int32 = SIGKILL) throws(Problem) {
        try process(name).signalGroup(number)
    }

    /// Starts a service that was stopped or has failed, without waiting for others.
    package func start(_ name: String) throws(Problem) { try request(.start, name) }

    /// Stops one service until it is started again.
    package func stop(_ name: String) throws(Problem) { try request(.stop, name) }

    package func restart(_ name: String) throws(Problem) { try request(.restart, name) }

    /// Stops all services in reverse order of their start. Returns the exit status of each service that ever ran.
    @discardableResult
    package func stop() throws(Problem) -> [String: ExitStatus] {
        guard let running else { return [:] }
        running.thread.post { running.stopAll() }
        // Each service may use its time to stop, and then needs a moment to be killed.
        let cleanup = specs.reduce(Duration.zero) { $0 + ($1.afterEnd?.timeout ?? .zero) }
        let limit = (options.times.stop + .seconds(1)) * specs.count + .seconds(5) + cleanup
        guard let exits = try waitForEnd(deadlineMs: limit.ms) else {
            let left = status().filter { $0.pid != nil }.map { "\($0.name) (\($0.pid ?? 0))" }
                .joined(separator: ", ")
            throw Problem(
                "supervisor.not_stopped",
                "\(left, "services") did not end even after SIGKILL; restart the computer"
            )
        }
        return exits
    }

    // MARK: - Waiting

    /// Returns once all services are ready. Throws if one has failed and will not start again, or if the time is over.
    package func waitUntilReady(deadlineMs: Int64) throws(Problem) {
        try requireStarted()
        _ = try board.wait(within: .milliseconds(deadlineMs)) { statuses, hasEnded in
            hasEnded || statuses.contains { $0.state.isFailed }
                || !statuses.isEmpty && statuses.allSatisfy(\.state.isReady)
        }
        let missing = status().filter { !$0.state.isReady }
        let isComplete = status().count == specs.count
        guard missing.isEmpty && isComplete && !board.hasEnded else {
            throw notReady(missing, within: .milliseconds(deadlineMs))
        }
    }

    /// Waits until the condition is true. Returns false if the time is over. For tests, which wait for a restart, for example.
    package func waitUntil(
        deadlineMs: Int64,
        _ condition: ([ServiceStatus]) -> Bool
    ) throws(Problem) -> Bool {
        try board.wait(within: .milliseconds(deadlineMs)) { statuses, _ in condition(statuses) }
    }

    /// Returns the exit status of each service once the supervisor was stopped, or nil if the time is over before.
    package func waitForEnd(deadlineMs: Int64 = .max) throws(Problem) -> [String: ExitStatus]? {
        try requireStarted()
        guard try board.wait(within: .milliseconds(deadlineMs), until: { $1 }) else { return nil }
        running?.thread.join()
        let exits = status().compactMap { status in status.lastExit.map { (status.name, $0) } }
        return Dictionary(exits) { first, _ in first }
    }

    // MARK: - Helpers

    private var running: SupervisorLoop? { loop.withLock { $0 } }

    private func requireStarted() throws(Problem) {
        guard running != nil else {
            throw Problem("supervisor.not_started", "this supervisor was not started; call start first")
        }
    }

    private func request(_ event: LifecycleEvent, _ name: String) throws(Problem) {
        try requireKnown(name)
        try requireStarted()
        guard let running else { return }
        running.thread.post { running.request(event, for: name) }
    }

    private func process(_ name: String) throws(Problem) -> SpawnedProcess {
        try requireKnown(name)
        guard let process = board.process(name) else {
            throw Problem(
                "supervisor.not_running",
                "\(name, "name") has no process now; wait until it is running",
                retryable: true
            )
        }
        return process
    }

    private func requireKnown(_ name: String) throws(Problem) {
        let names = specs.map(\.name)
        guard !names.contains(name) else { return }
        let list = names.joined(separator: ", ")
        throw Problem(
            "supervisor.no_such_service",
            "There is no service \(name, "name"). The services are: \(list, "services")."
        )
    }

    private func notReady(_ missing: [ServiceStatus], within timeout: Duration) -> Problem {
        let parts = missing.map { status in
            let failure = status.failure.map { ", \($0.english)" } ?? ""
            let lines = lastLines(status.name)
            let tail =
                lines.isEmpty
                ? "it wrote nothing" : "its last lines:\n    " + lines.joined(separator: "\n    ")
            return "\(status.name) is \(status.state.name)\(failure); \(tail)"
        }.joined(separator: "\n  ")
        let names = missing.map(\.name).joined(separator: ", ")
        return Problem(
            "supervisor.not_ready",
            "not ready within \(MessageValue.duration(ms: timeout.ms), "time"):\n  \(parts, "services")",
            retryable: true,
            help: missing.first.map { "less \(directories.log(service: $0.name))" },
            details: ["services": names]
        )
    }
}
