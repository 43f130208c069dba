import Glibc
import STContracts
import STEngine
package import STPlatform
import STStore
import STZeroMQ
import Synchronization

/// One service between its start and its end.
struct RunningService<State: Sendable>: Sendable {
    private let definition: ServiceDefinition<State>
    private let surroundings: ServiceEnvironment
    private let lock: InstanceLock
    /// The lock of the database, because a second system with other sockets must not write the same files.
    private let stateLock: InstanceLock
    private let signals: SignalDescriptor
    private let lifeline: Int32?

    private static var stopTimeout: Duration { .seconds(9) }
    private static var openUs: Int64 { StartProgress.timeoutMs * 1_000 }
    private static var progressInterval: Duration { .milliseconds(200) }
    /// The time after which a start and its immediate consequences are over.
    private static var startTime: Duration { .seconds(3) }

    init(_ service: ServiceName, _ make: (Configuration) throws -> ServiceDefinition<State>) throws {
        let environment = ProcessEnvironment.current()
        // Before any thread exists, so that every thread inherits the blocked signals that the descriptor reads.
        signals = try SignalDescriptor([SIGTERM, SIGINT])
        let stops = service == .desktop ? try ShutdownNotice() : nil
        lifeline = Lifeline.descriptor(environment: environment)
        let directories = try Directories.from(environment: environment)
        let configuration = try Configuration.load(path: directories.config, environment: environment)
        definition = try make(configuration)
        let name = service.rawValue
        _ = try directories.endpoint(service: name, .events)
        for directory in [
            directories.run, "\(directories.run)/\(name)", directories.state, "\(directories.state)/\(name)",
        ] {
            try Directories.prepare(directory)
        }
        try NetworkFolder.refuse(directories.state)
        lock = try InstanceLock(path: "\(directories.run)/\(name)/lock", what: name)
        stateLock = try InstanceLock(path: "\(directories.state)/\(name)/lock", what: name)
        let base = try Self.time(environment)
        let time =
            service == .activity
            ? TrustedTimeSource(base, keeping: directories.clock)
            : TrustedTimeSource(base, reading: directories.clock)
        surroundings = ServiceEnvironment(
            directories: directories,
            configuration: configuration,
            log: Log.standard(
                service: name,
                level: LogLevel(rawValue: configuration.value(.logLevel)) ?? .info
            ),
            time: time,
            pulse: VirtualTimeHold(),
            loop: try BusLoop(),
            source: "/\(HostName.current())/\(name)",
            stops: stops,
            codes: try CallerCodes.make(for: service, environment, run: directories.run)
        )
    }

    private static func time(_ environment: [String: String]) throws -> any TimeSource {
        guard let path = environment[ClockPage.variable], !path.isEmpty else { return SystemTimeSource() }
        return VirtualTimeSource(try ClockPage(opening: path))
    }

    /// Returns immediately. The process exits when the service has ended.
    func start(_ companion: ServiceProcess.Worker<State>?, on main: MainThread) {
        // Not on the bus thread, because this task outlives it.
        // Medium priority: threads of a higher priority request a better nice value, and a sandbox that refuses it logs a message.
        Task(executorPreference: main, priority: .medium) { exit(await run(companion)) }
    }

    private func run(_ companion: ServiceProcess.Worker<State>?) async -> Int32 {
        let log = surroundings.log
        do {
            let store: StoreEngine<State>
            do {
                store = try openStore(findMissedRecords())
            } catch let damage as Problem where StoreProblem.isCausedByContent(damage) {
                guard definition.isRebuilt else { return try await serveQuarantined(in: damage) }
                store = try openStore([.init(.fileRebuilt, about: try Database.moveAside(path))])
            }
            return try await serve(definition, store: store, companion: companion)
        } catch {
            let problem = Problem(error)
            log.problem("failed", problem)
            Systemd.notify("STATUS=\(problem.message)")
            return StartFailure.exitCode(problem)
        }
    }

    private var path: String { surroundings.directories.database(service: definition.name.rawValue) }

    /// Runs a replacement for a service with a damaged database. It answers each request with the reason. Other services continue.
    private func serveQuarantined(in damage: Problem) async throws -> Int32 {
        surroundings.log.problem("quarantined", damage)
        let empty = "\(surroundings.directories.run)/\(definition.name)/quarantine.sqlite"
        for part in ["", "-wal", "-shm"] { unlink(empty + part) }
        let quarantined = ServiceDefinition.quarantined(definition.name, damage)
        let store = try StoreEngine(
            quarantined,
            database: try Database(
                path: empty,
                options: DatabaseOptions(applicationID: StoreMigrations.applicationID)
            ),
            source: surroundings.source,
            time: surroundings.time
        )
        return try await serve(quarantined, store: store, companion: nil)
    }

    private func serve<Kept>(
        _ definition: ServiceDefinition<Kept>,
        store: sending StoreEngine<Kept>,
        companion: ServiceProcess.Worker<Kept>?
    ) async throws -> Int32 {
        let log = surroundings.log
        let host = ServiceHost(definition, surroundings)
        let handover = try Systemd.handover()
        try await host.start(store: store, handover: handover)
        // systemd watches the sockets that it has created. The marks are made before READY=1, because a socket may be removed right
        // after it.
        let sockets = handover.rpc == nil ? try sockets() : []
        let marks = sockets.map { FileMark($0) }
        log.info("ready", nil, fields: ["pid": .number(Int64(getpid()))])
        warnOfVirtualTime()
        Systemd.notify("READY=1\nSTATUS=\(definition.quarantine?.message ?? "answering")")
        let beside = Task(executorPreference: surroundings.loop.thread, priority: .medium) {
            try await companion?(host, surroundings)
        }
        let witness = definition.quarantine == nil ? JournalAuditor(definition.name, surroundings) : nil
        let noting = Task(executorPreference: surroundings.loop.thread, priority: .medium) {
            while let witness, !Task.isCancelled {
                witness.record(await host.heads)
                try await Task.sleep(for: JournalAuditor.interval)
            }
        }
        // A start runs through much code that an idle service never needs again, and the kernel maps sixteen pages around
        // each one that is touched.
        surroundings.loop.thread.post { [thread = surroundings.loop.thread] in
            thread.after(milliseconds: Self.startTime.ms) { ProcessMemory.releaseCode() }
        }
        let isCutOff = await waitForEnd(sockets, marks)
        Systemd.notify("STOPPING=1")
        if isCutOff {
            log.warning(
                "sockets_gone",
                "Another program removed the sockets. The next start creates them again."
            )
        }
        noting.cancel()
        witness?.record(await host.heads)
        try await stop(host, beside)
        log.info("stopped")
        return isCutOff ? 75 : 0
    }

    /// Returns the files by which other processes find this one.
    private func sockets() throws -> [String] {
        let name = definition.name.rawValue
        return try [Endpoint.rpc, .events].map {
            try surroundings.directories.endpoint(service: name, $0)
        } + ["\(surroundings.directories.run)/\(name)/lock"]
    }

    /// Logs a warning, because the records of such a service are not of real usage.
    private func warnOfVirtualTime() {
        guard let time = surroundings.time.virtual else { return }
        surroundings.log.warning(
            "virtual_clock",
            "This is a simulation: the time is that of \(time.path), and nothing written down here was real.",
            fields: ["now": .text(RFC3339.text(wallMs: time.now().wallMs)), "zone": .text(time.zone())]
        )
    }

    /// Returns the loss that the system's journal shows if the database is gone. A service that rebuilds its data from others has
    /// no such loss.
    private func findMissedRecords() -> [HistoryLine] {
        guard !definition.isRebuilt, ["", ".restore"].allSatisfy({ access(path + $0, F_OK) != 0 }) else {
            return []
        }
        let loss = JournalAuditor(definition.name, surroundings)?.loss()
        return loss.map { [HistoryLine(.lost, about: $0.source, loss: $0)] } ?? []
    }

    /// Opens the database.
    ///
    /// A large file that was not closed is read completely first, and rows of an earlier version are converted. Such a start may
    /// take much longer, and reports its progress.
    private func openStore(_ news: [HistoryLine]) throws -> StoreEngine<State> {
        Systemd.notify("EXTEND_TIMEOUT_USEC=\(Self.openUs)\nSTATUS=opening its records")
        let startMs = Stopwatch.milliseconds()
        var toldMs = startMs
        defer {
            let tookMs = Stopwatch.milliseconds() - startMs
            if toldMs > startMs { surroundings.log.info("upgraded", nil, fields: ["ms": .number(tookMs)]) }
        }
        let database = try Database(
            path: path,
            options: DatabaseOptions(applicationID: StoreMigrations.applicationID, isSealed: true)
        )
        return try StoreEngine(
            definition,
            database: database,
            source: surroundings.source,
            time: surroundings.time,
            news: news,
            isUpgrading: { progress in
                // The finished steps of the conversion remain.
                if signals.next() != nil { exit(0) }
                let now = Stopwatch.milliseconds()
                guard now - toldMs >= Self.progressInterval.ms else { return }
                toldMs = now
                Systemd.notify(
                    "EXTEND_TIMEOUT_USEC=\(Self.openUs)\nSTATUS=\(progress.status)"
                )
            }
        )
    }

    /// Returns at SIGTERM or SIGINT, or once the parent of this process has ended. Notifies the watchdog meanwhile.
    ///
    /// Returns true if the sockets were removed, so that no request can arrive any more.
    private func waitForEnd(_ sockets: [String], _ marks: [FileMark?]) async -> Bool {
        let thread = surroundings.loop.thread
        let isCutOff = Flag()
        await withCheckedContinuation { continuation in
            let end = Once { continuation.resume() }
            thread.post {
                let look: @Sendable () -> Void = {
                    guard marks.contains(nil) || sockets.map({ FileMark($0) }) != marks else { return }
                    isCutOff.mark()
                    end.run()
                }
                let watch = PathWatch(sockets, on: thread.currentWaiter, look)
                look()
                thread.currentWaiter.watch(descriptor: signals.descriptor) {
                    withExtendedLifetime(watch) {
                        guard signals.next() != nil else { return }
                        surroundings.shutdown?.markEnded()
                        end.run()
                    }
                }
                if let lifeline {
                    thread.currentWaiter.watch(descriptor: lifeline) {
                        thread.currentWaiter.unwatch(descriptor: lifeline)
                        end.run()
                    }
                }
                if let period = Systemd.watchdogMs() { feedWatchdog(every: period / 2) }
            }
        }
        return isCutOff.clear()
    }

    private func feedWatchdog(every ms: Int64) {
        Systemd.notify("WATCHDOG=1")
        surroundings.loop.thread.after(milliseconds: ms) { feedWatchdog(every: ms) }
    }

    private func stop<Kept>(_ host: ServiceHost<Kept>, _ companion: Task<Void?, any Error>) async throws {
        // A job that hangs must not outlive the deadline. Acknowledged changes are already on the disk.
        let guardian = Task(priority: .medium) {
            try await Task.sleep(for: Self.stopTimeout)
            surroundings.log.error("stop_overdue", "Stopping took too long, so the process ends now.")
            _exit(70)
        }
        // The companion first, because it may have data to save, and sockets of its own to close.
        companion.cancel()
        _ = await companion.result
        try await host.stop()
        surroundings.loop.stop()
        guardian.cancel()
        // Held to the very end, so that no other process binds the endpoints while this one still replies.
        withExtendedLifetime((lock, stateLock)) {}
    }
}

/// Runs a closure the first time only.
final class Once: Sendable {
    private let action: Mutex<(@Sendable () -> Void)?>

    init(_ action: @escaping @Sendable () -> Void) { self.action = Mutex(action) }

    func run() {
        let first = action.withLock { action in
            defer { action = nil }
            return action
        }
        first?()
    }
}

/// The exit code of a start that failed.
///
/// The codes are those of sysexits.h, because systemd shows their names.
package enum StartFailure {
    package static func exitCode(_ problem: Problem) -> Int32 {
        switch problem.code.prefix(while: { $0 != "." }) {
        case "config", "path", "directory", "clock": 78
        case "instance": 75
        case "store": 74
        default: 70
        }
    }
}
