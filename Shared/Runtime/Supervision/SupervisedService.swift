import STPlatform

/// The data of one service on the supervisor's thread.
final class SupervisedService {
    /// The number of the key's descriptor in the service.
    private static let keyNumber: Int32 = 3

    let spec: ServiceSpec
    let log: ServiceLog
    var lifecycle: ServiceLifecycle
    var process: SpawnedProcess?
    /// The clean-up program, while it runs.
    var cleanupProcess: SpawnedProcess?
    /// The supervisor's end of the service's output.
    var output: OwnedDescriptor?
    var splitter = LineSplitter()
    var readySince: TimeReading?
    var statusText: String?

    init(spec: ServiceSpec, log: ServiceLog, options: SupervisorOptions) {
        self.spec = spec
        self.log = log
        var times = options.times
        if let own = spec.backOffMsMax { times.backOffMax = min(.milliseconds(own), times.backOffMax) }
        lifecycle = ServiceLifecycle(
            notify: spec.notify,
            watchdog: spec.watchdogMs.map { .milliseconds($0) },
            times: times,
            restartsAfterFailure: options.restartsAfterFailure
        )
    }

    var status: ServiceStatus {
        ServiceStatus(
            name: spec.name,
            pid: process?.pid,
            state: lifecycle.state,
            readySinceBootMs: readySince?.bootMs,
            readySinceWall: readySince?.wall,
            restarts: lifecycle.restarts,
            lastExit: lifecycle.lastExit,
            failure: lifecycle.lastFailure,
            statusText: statusText
        )
    }

    /// Returns the plan for starting the service, with its own environment and the supervisor's variables.
    ///
    /// `key` is a descriptor of the system's key.
    func plan(directories: Directories, notifySocket: String, output: Int32, key: Int32) -> SpawnPlan {
        var environment = environment(directories)
        environment["NOTIFY_SOCKET"] = spec.notify ? notifySocket : nil
        environment[SystemKey.variable] = String(Self.keyNumber)
        environment["WATCHDOG_USEC"] = spec.watchdogMs.map { String($0 * 1000) }
        return SpawnPlan(
            executable: spec.executable,
            arguments: spec.arguments,
            environment: environment,
            standardOutput: output,
            standardError: output,
            descriptors: [Self.keyNumber: key],
            hasLifeline: true
        )
    }

    /// Returns the plan for starting the clean-up program.
    func plan(_ afterEnd: AfterEnd, directories: Directories, output: Int32) -> SpawnPlan {
        SpawnPlan(
            executable: afterEnd.executable,
            arguments: afterEnd.arguments,
            environment: environment(directories),
            standardOutput: output,
            standardError: output
        )
    }

    private func environment(_ directories: Directories) -> [String: String] {
        let places = [
            "SCREENTIME_RUN": directories.run,
            "SCREENTIME_STATE": directories.state,
            "SCREENTIME_CONFIG": directories.config,
        ]
        return spec.environment.merging(places) { own, _ in own }
    }
}
