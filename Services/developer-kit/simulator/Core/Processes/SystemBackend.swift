import Glibc
import STContracts
import STPlatform
import STSupervision
import STZeroMQ

/// Runs a private set of the real processes with its own virtual clock, in a folder that is deleted afterwards.
actor SystemBackend: SimulationBackend {
    /// All services except the desktop's agent, which the simulation replaces.
    static let services = ServiceName.all.filter { $0 != .desktop }
    private static let startTimeout = Duration.seconds(60)
    private static let restartTimeout = Duration.seconds(30)
    private static let reportedLines = 5
    private static let extensionProgram = "simulated-monitor"

    private let folder: String
    private let configuration: String
    private let faults: [PhoneFault]
    let scratch: ScratchFolder
    let directories: Directories
    private let loop: BusLoop
    private let client: BusClient
    private var supervisor: Supervisor?
    private var clock: SystemClock?
    private var places: [StreamName: StreamPoint] = [:]

    /// Longer time limits than on a desktop, so that the same scenario has the same outcome on a busy machine.
    private static let retryConfiguration = """
        [shield-service]
        look_ms = 30000
        action_ms = 30000

        """

    /// Creates the backend. `programs` is the folder with the services' executables.
    init(programs: String, configuration: String = "", faults: [PhoneFault] = []) throws {
        folder = programs
        self.faults = faults
        self.configuration = Self.retryConfiguration + configuration
        // Use a folder in memory. Its content need not survive a power cut, and each commit would wait for a disk.
        scratch = try ScratchFolder(inMemory: true)
        let directories = Directories(
            run: "\(scratch.path)/run",
            state: "\(scratch.path)/state",
            config: "\(scratch.path)/config"
        )
        self.directories = directories
        loop = try BusLoop(name: "simulation")
        client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }
    }

    func start(_ face: ClockState) async throws {
        try AtomicFile.write(Array(configuration.utf8), to: directories.config, durable: false)
        let page = try ClockPage(creating: "\(scratch.path)/clock", face)
        let environment = environment(page.path)
        let specs = Self.services.map { service in
            ServiceSpec(
                name: service.rawValue,
                executable: "\(folder)/\(service)",
                environment: environment
            )
        }
        let supervisor = try Supervisor(
            directories: directories,
            specs: specs,
            options: SupervisorOptions(times: LifecycleTimes(backOffMs: 20, backOffMsMax: 100), isDemo: true)
        )
        self.supervisor = supervisor
        try supervisor.start()
        try supervisor.waitUntilReady(deadlineMs: Self.startTimeout.ms)
        let clock = SystemClock(page: page, client: client, services: Self.services)
        self.clock = clock
        try await clock.waitUntilIdle()
    }

    /// Returns the environment of a program. It contains only the variables that the program needs.
    func environment(_ page: String) -> [String: String] {
        var environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", ClockPage.variable: page]
        for name in ["HOME", "LD_LIBRARY_PATH"] {
            environment[name] = getenv(name).map { String(cString: $0) }
        }
        // The texts of apps must not depend on the language of the person who runs the simulation.
        environment["LANG"] = "C.UTF-8"
        if !faults.isEmpty {
            environment[ExtensionEnvironment.faults] = faults.map(\.rawValue).joined(separator: ",")
        }
        return environment
    }

    func stop() async {
        _ = try? supervisor?.stop()
        await client.close()
        loop.stop()
        scratch.remove()
    }

    // MARK: - Requests and time

    func call<R: Route>(_ route: R.Type, _ request: R.Request) async throws -> R.Reply {
        try await client.call(R.self, request, options: CallOptions(timeoutMs: 30_000))
    }

    private func running() throws -> SystemClock {
        guard let clock else { throw Problem("simulation.not_started", "The simulation was not started.") }
        return clock
    }

    func setClock(_ face: ClockState) async throws { try await running().set(face) }

    func waitUntilIdle() async throws {
        let clock = try running()
        do {
            try await clock.waitUntilIdle()
            try await clock.wake()
        } catch let problem as Problem {
            throw explained(problem)
        }
    }

    /// Adds the last log lines of the affected service to a problem, because the log is deleted with the folder.
    private func explained(_ problem: Problem) -> Problem {
        guard let name = Self.services.first(where: { problem.message.contains($0.rawValue) })?.rawValue,
            let lines = supervisor?.lastLines(name).suffix(Self.reportedLines), !lines.isEmpty
        else { return problem }
        var problem = problem
        problem.message += " The last lines of \(name):\n    " + lines.joined(separator: "\n    ")
        return problem
    }

    var nextDue: Deadlines {
        get async { await clock?.nextDue ?? Deadlines() }
    }

    /// Requests events only if the stream has new ones.
    func events(of stream: StreamName) async throws -> [WireEvent] {
        guard let source = Catalogue.owner(ofStream: stream) else { return [] }
        let statuses = try await running().lastStatuses
        let heads = statuses.first { $0.service == source.rawValue }?.heads ?? []
        guard let head = heads.first(where: { $0.stream == stream.rawValue }) else { return [] }
        var events: [WireEvent] = []
        while (places[stream]?.sequence ?? 0) < head.sequence {
            let place = places[stream]
            let page = try await client.call(
                EventsSince.self,
                to: source,
                .init(stream: stream.rawValue, epoch: place?.epoch, sequence: place?.sequence, id: place?.id),
                options: CallOptions(timeoutMs: 30_000)
            )
            guard let last = page.events.last?.header else { break }
            events += page.events
            places[stream] = StreamPoint(
                stream: stream.rawValue,
                epoch: last.epoch,
                sequence: last.sequence,
                id: last.id
            )
        }
        return events
    }

    // MARK: - Faults

    func kill(_ program: String) async throws {
        guard let supervisor else { return }
        guard program != "extension" else { return try killExtensions(of: supervisor) }
        let before = supervisor.pid(program)
        try supervisor.kill(program, SIGKILL)
        let isBack = try supervisor.waitUntil(deadlineMs: Self.restartTimeout.ms) { statuses in
            statuses.contains { $0.name == program && $0.pid != nil && $0.pid != before && $0.state.isReady }
        }
        guard isBack else {
            throw Problem(
                "simulation.not_restarted",
                "\(program, "program") was killed and did not restart."
            )
        }
    }

    /// Kills a process immediately and does not wait. Returns false if the process does not exist.
    func killProcess(_ program: String) -> Bool {
        guard let supervisor else { return false }
        guard program == "extension" else {
            guard supervisor.pid(program) != nil else { return false }
            return (try? supervisor.kill(program, SIGKILL)) != nil
        }
        guard let monitor = supervisor.pid(ServiceName.monitor.rawValue) else { return false }
        let pids = ChildProcesses.pids(of: monitor)
        for pid in pids { Glibc.kill(pid, SIGKILL) }
        return !pids.isEmpty
    }

    /// Kills the running extensions, which are children of monitor-runner.
    private func killExtensions(of supervisor: Supervisor) throws {
        guard let monitor = supervisor.pid(ServiceName.monitor.rawValue) else { return }
        for pid in ChildProcesses.pids(of: monitor) { Glibc.kill(pid, SIGKILL) }
    }

    func simulatedApp() throws -> AppInstall.Request {
        AppInstall.Request(
            bundle: try scratch.writeSimulatedApp(executable: Self.extensionProgram),
            programs: folder
        )
    }

    var programs: String? { folder }
    var state: String? { directories.state }

    func run(_ words: [String], member: String?) async throws -> [String] {
        let apps = try await client.call(AppList.self, .init()).apps
        let name = words[0]
        guard
            let app = apps.first(where: { app in
                app.manifest.id == name || app.manifest.name.lowercased() == name.lowercased()
                    || app.manifest.executable?.hasSuffix("/" + name) == true
            }), let executable = app.manifest.executable
        else {
            let list = apps.map(\.manifest.id).joined(separator: ", ")
            throw Problem(
                "simulation.no_command",
                "No installed app has the command \(name, "name"). Installed apps: \(list, "apps")."
            )
        }
        var environment = environment("\(scratch.path)/clock")
        environment["SCREENTIME_RUN"] = directories.run
        environment["SCREENTIME_STATE"] = directories.state
        environment["SCREENTIME_CONFIG"] = directories.config
        environment["LD_PRELOAD"] = "\(folder)/\(ProgramsFolder.clockLibrary)"
        environment["TZ"] = try await running().face.zone
        if let member { environment[ExtensionEnvironment.member] = member }
        return try await AppCommand(
            executable,
            words: Array(words.dropFirst()),
            environment: environment,
            folder: scratch.path
        ).run()
    }
}

/// A run of an app's own command.
struct AppCommand {
    private static let timeout = Duration.seconds(60)
    private static let pollInterval = Duration.milliseconds(2)
    private static let reportedLines = 5
    private static let shownLines = 200

    private let plan: SpawnPlan
    private let output: OwnedDescriptor
    private let path: String

    init(_ executable: String, words: [String], environment: [String: String], folder: String) throws {
        path = "\(folder)/command-output"
        let number = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError.last("open") }
        output = OwnedDescriptor(number)
        plan = SpawnPlan(
            executable: executable,
            arguments: words,
            environment: environment,
            standardOutput: number,
            standardError: number,
            hasLifeline: true
        )
    }

    /// Runs the command to its end and returns its output. Throws if the command fails.
    func run() async throws -> [String] {
        let process = try SpawnedProcess(plan)
        let deadlineMs = Stopwatch.milliseconds() + Self.timeout.ms
        while true {
            if let status = process.reap() {
                guard status == .exited(0) else { throw failed(status) }
                return lines.suffix(Self.shownLines)
            }
            guard Stopwatch.milliseconds() < deadlineMs else {
                process.signalGroup(SIGKILL)
                _ = process.wait(deadlineMs: 1_000)
                throw failed(nil)
            }
            try await Task.sleep(for: Self.pollInterval)
        }
    }

    private var lines: [String] {
        let text = (try? AtomicFile.read(path, limitBytes: 1 << 20)).map {
            String(decoding: $0, as: UTF8.self)
        }
        return (text ?? "").split(separator: "\n").map(String.init)
    }

    /// Returns the problem of a failed command. A `nil` status means that it exceeded the time limit.
    private func failed(_ status: ExitStatus?) -> Problem {
        let lines = lines.suffix(Self.reportedLines).joined(separator: " / ")
        let words = ([plan.executable.split(separator: "/").last.map(String.init) ?? ""] + plan.arguments)
            .joined(separator: " ")
        let ending =
            status.map {
                Message("simulation.command_failed.status", "\(words, "command") \($0, "ending").")
            }
            ?? Message(
                "simulation.command_failed.has-not-ended",
                "\(words, "command") did not exit within \(MessageValue.duration(ms: Self.timeout.ms), "time")."
            )
        return Problem(
            "simulation.command_failed",
            text: lines.isEmpty
                ? Message("simulation.command_failed.nothing", "\(ending, "problem") It wrote no output.")
                : Message("simulation.command_failed", "\(ending, "problem") It wrote: \(lines, "lines")")
        )
    }
}

/// The child processes of a process.
enum ChildProcesses {
    static func pids(of parent: Int32) -> [Int32] {
        let path = "/proc/\(parent)/task/\(parent)/children"
        let tasks = names(in: "/proc/\(parent)/task")
        let texts = tasks.isEmpty ? [text(path)] : tasks.map { text("/proc/\(parent)/task/\($0)/children") }
        return texts.flatMap { $0.split(separator: " ") }.compactMap { Int32($0) }
    }

    private static func text(_ path: String) -> String {
        (try? AtomicFile.read(path, limitBytes: 64 * 1024)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

/// The folder with the executables of the services.
enum ProgramsFolder {
    static func own() throws(Problem) -> String {
        if let own = ProcFile.ownFolder() { return own }
        throw Problem("simulation.no_programs", "Cannot read /proc/self/exe. Mount /proc, and try again.")
    }

    /// The library that is preloaded into apps, so that their code sees the virtual clock.
    static let clockLibrary = "libscreentime-clock.so"

    /// Returns the named folder, or else that of the running program. Throws if a service is missing, or the library without
    /// which apps would see the real time.
    static func checked(_ named: String?) throws -> String {
        let folder = try named ?? own()
        let needed = SystemBackend.services.map(\.rawValue) + [clockLibrary]
        let missing = needed.filter { access("\(folder)/\($0)", $0 == clockLibrary ? R_OK : X_OK) != 0 }
        guard missing.isEmpty else {
            let list = missing.joined(separator: ", ")
            throw Problem(
                "simulation.no_programs",
                """
                These programs are not in \(folder, "folder"): \(list, "programs"). Build Screen Time with \
                `scripts/run-all.sh` or `swift build`, or use --in-process.
                """,
                key: "simulation.no_programs.are-not-in"
            )
        }
        return folder
    }
}
