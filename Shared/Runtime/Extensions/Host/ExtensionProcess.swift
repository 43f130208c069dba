import Glibc
import STBus
import STContracts
import STPlatform
import STZeroMQ

/// One extension process with its endpoint and its pipes. It carries out the effects of `ExtensionLifecycle`.
final class ExtensionProcess: @unchecked Sendable {
    // @unchecked: everything is used on the bus thread only.

    /// The time for the last messages of an ended process to arrive.
    private static let outputGrace = Duration.milliseconds(250)
    private static let unknownSendersMax = 16

    let spec: ExtensionSpec
    let isDebugged: Bool
    private let context: ExtensionHostContext
    private let process: SpawnedProcess
    private let path: String
    private let output: ExtensionOutput
    private let endpoint: PrivateEndpoint
    private var lifecycle: ExtensionLifecycle
    private var timer: UInt64?
    private var run: ExtensionRun
    private var job: ExtensionJob?
    private var watched: UInt64?
    /// The number of requests that wait for their replies.
    private var pendingRequests = 0
    private var unknownSenders: Set<Int32> = []
    private var network: NetworkWatch?
    private var hasExited = false
    /// Called with the outcome of the call under way.
    var onOutcome: (ExtensionOutcome) -> Void = { _ in }
    /// Called when the process can take another call, or has ended.
    var onChange: () -> Void = {}

    var pid: Int32 { process.pid }
    /// True if this host makes the process's connection, because the process has no network.
    private var reportsNetwork: Bool { if case .reporting = process.network { true } else { false } }
    var isFree: Bool { lifecycle.isFree && job == nil && !hasExited }
    var isEnding: Bool { lifecycle.isEnding || hasExited }
    private(set) var hasEnded = false
    private static var now: Duration { .milliseconds(Stopwatch.milliseconds()) }

    init(_ spec: ExtensionSpec, _ ground: ExtensionHostContext, isDebugged: Bool) throws {
        self.spec = spec
        self.context = ground
        self.isDebugged = isDebugged
        // A process for a debugger exists before its first call.
        run = ExtensionRun(isCold: !isDebugged)
        let settings = ground.settings
        let name = Identifier.make(wallMs: Stopwatch.bootMilliseconds())
        path = try Directories.checkedSocket("\(settings.folder)/\(name).sock")
        lifecycle = ExtensionLifecycle(
            spec,
            settings.limits,
            isDebugged: isDebugged,
            now: Self.now
        )
        output = try ExtensionOutput(ground.loop.thread)
        endpoint = try PrivateEndpoint(
            ground.loop,
            path: path,
            frameLimit: ExtensionProtocol.frames,
            messageBytes: ExtensionProtocol.messageBytes
        )
        do throws(Problem) {
            process = try SpawnedProcess(
                ExtensionStart.plan(
                    spec,
                    settings: settings,
                    endpoint: path,
                    output: output,
                    isStopped: isDebugged
                )
            )
        } catch {
            endpoint.close()
            unlink(path)
            throw ExtensionProblem.notStarted(error, executable: spec.executable)
        }
        ground.orphanSweep.processDidStart(process.pid, endpoint: "ipc://" + path)
        endpoint.onMessage = { [unowned self] in received($0, frames: $1, sender: $2) }
        output.onBytes = { [unowned self] in countOutput($0) }
        output.onLine = { [unowned self] in receiveOutput($0, $1) }
        output.watch()
        ground.loop.thread.currentWaiter.watch(descriptor: process.pidfd.number) { [self] in processDidExit()
        }
        restrictNetwork()
        watchStart()
        arm()
    }

    // MARK: - Calls

    func call(_ job: ExtensionJob) {
        self.job = job
        run = ExtensionRun(isCold: run.isCold)
        perform(lifecycle.call(job.call, now: Self.now))
    }

    func end() { perform(lifecycle.end(now: Self.now)) }

    /// Kills the process for a reason of the host.
    func interrupt() { perform(lifecycle.handleViolation(ExtensionProblem.interrupted)) }

    private func perform(_ effects: [ExtensionLifecycle.Effect]) {
        for effect in effects {
            switch effect {
            case .send(let frames):
                // If the peer is gone or does not read, the time limit reveals it.
                if let peer = lifecycle.peer { _ = endpoint.send(to: peer, frames) }
            case .callDidBegin: watch()
            case .ask(let header, let body, let ordinal): ask(header, body: body, ordinal: ordinal)
            case .check: check()
            case .done(let result): finish(nil, result)
            case .failed(let problem): finish(problem, nil)
            case .terminate: process.signalGroup(SIGTERM)
            case .kill:
                output.stop()
                process.signalGroup(SIGKILL)
            case .note(let level, let text): say(.host, level: level, category: "", text: text)
            }
        }
        arm()
    }

    private func finish(_ problem: Problem?, _ result: JSONValue?) {
        stopWatching()
        if let problem { say(.host, level: "error", category: "", text: problem.message) }
        guard job != nil else { return }
        let outcome = run.outcome(problem, result)
        job = nil
        run = ExtensionRun(isCold: false)
        onOutcome(outcome)
        onChange()
    }

    private func arm() {
        if let timer { context.loop.thread.cancelTimer(timer) }
        timer = nil
        guard !hasEnded, let next = lifecycle.next else { return }
        timer = context.loop.thread.after(milliseconds: next.ms - Stopwatch.milliseconds()) { [weak self] in
            guard let self else { return }
            timer = nil
            perform(lifecycle.tick(now: Self.now))
        }
    }

    // MARK: - Messages and output

    private func received(_ peer: [UInt8], frames: [[UInt8]], sender: Principal) {
        guard sender.pid == process.pid || reportsNetwork && sender.pid == getpid() else {
            return ignore(sender)
        }
        perform(lifecycle.receive(frames, from: peer, now: Self.now))
    }

    /// Ignores a message of another process, and reports the first message of each one.
    private func ignore(_ sender: Principal) {
        guard unknownSenders.count < Self.unknownSendersMax, unknownSenders.insert(sender.pid).inserted else {
            return
        }
        say(
            .host,
            level: "error",
            category: "",
            text:
                "Another process (pid \(sender.pid)) spoke on the endpoint of this extension (pid \(process.pid)); "
                + "its messages were ignored."
        )
    }

    private func receiveOutput(_ source: ExtensionLine.Source, _ text: String) {
        guard source == .log, let line = try? ExtensionLogLine.decodedBody(Array(text.utf8)) else {
            return say(source, level: source == .error ? "error" : "info", category: "", text: text)
        }
        let category = [line.subsystem, line.category].filter { !$0.isEmpty }.joined(separator: ":")
        say(.log, level: line.level, category: category, text: line.text)
    }

    private func say(_ source: ExtensionLine.Source, level: String, category: String, text: String) {
        let line = ExtensionLine(
            app: spec.app,
            member: spec.member,
            delivery: job?.call.id,
            attempt: job?.call.attempt ?? 0,
            wallMs: context.services.now().wallMs,
            source: source,
            level: level,
            category: category,
            text: text
        )
        // The host's own lines are few and the most important ones, so they have no limit.
        if run.add(line) || source == .host { context.services.onLine(line) }
    }

    // MARK: - Limits

    private func restrictNetwork() {
        switch process.network {
        case .open, .silent: return
        case .failed(let reason) where spec.point == .report && !context.settings.mayHaveNetwork:
            // Posted, because the owner sets `onOutcome` only after this initializer. The extension has received nothing yet.
            context.loop.thread.post { [weak self] in
                guard let self, !hasEnded else { return }
                perform(lifecycle.handleViolation(ExtensionProblem.noIsolation(reason)))
            }
        case .failed(let reason):
            let problem =
                "The kernel could not keep the network from this extension (\(reason)); it runs with it."
            say(.host, level: "error", category: "", text: problem)
        case .reporting(let refusals):
            network = NetworkWatch(refusals, context.loop.thread) { [unowned self] refusal in
                let text =
                    "It tried to open \(refusal.description), which was refused: an extension speaks only to the service that "
                    + "started it."
                say(.host, level: "error", category: "", text: text)
            }
        }
    }

    /// Measures memory from the first instruction, not only from the first call.
    private func watchStart() {
        guard !isDebugged else { return }
        let limit = context.settings.limits.memoryBytes
        watched = context.memoryWatch.begin(pid: process.pid, limit: limit) { [self] bytes in
            context.loop.thread.post { self.memoryLimitExceededAtStart(bytes, limit) }
        }
    }

    private func memoryLimitExceededAtStart(_ bytes: Int64, _ limit: Int64) {
        guard !hasExited, run.started == nil else { return }
        perform(lifecycle.handleViolation(ExtensionProblem.overMemory(bytes: bytes, limit: limit)))
    }

    private func watch() {
        stopWatching()
        run.started = Self.now
        guard !isDebugged, let id = job?.call.id else { return }
        let limit = context.settings.limits.memoryBytes
        watched = context.memoryWatch.begin(pid: process.pid, limit: limit) { [self] bytes in
            context.loop.thread.post { self.memoryLimitExceeded(bytes, id) }
        }
    }

    private func stopWatching() {
        guard let watched else { return }
        self.watched = nil
        // An ended process cannot be measured. The earlier values remain.
        run.peakBytes = max(run.peakBytes, context.memoryWatch.end(watched))
    }

    private func memoryLimitExceeded(_ bytes: Int64, _ id: String) {
        guard job?.call.id == id, !hasExited else { return }
        run.peakBytes = max(run.peakBytes, bytes)
        let limit = context.settings.limits.memoryBytes
        perform(lifecycle.handleViolation(ExtensionProblem.overMemory(bytes: bytes, limit: limit)))
    }

    /// Ends the accounting of a call: the output and memory count for this call, and not for the next one.
    private func check() {
        output.drain()
        stopWatching()
        let limit = context.settings.limits.memoryBytes
        let isOver = !isDebugged && run.peakBytes > limit
        let problem = isOver ? ExtensionProblem.overMemory(bytes: run.peakBytes, limit: limit) : nil
        perform(lifecycle.handleCheckResult(problem, now: Self.now))
    }

    private func countOutput(_ bytes: Int) {
        run.outputBytes += Int64(bytes)
        let limit = context.settings.limits.outputBytes
        guard !isDebugged, run.outputBytes > limit else { return }
        perform(lifecycle.handleViolation(ExtensionProblem.overOutput(bytes: run.outputBytes, limit: limit)))
    }

    // MARK: - End of the process

    private func processDidExit() {
        hasExited = true
        let thread = context.loop.thread
        thread.currentWaiter.unwatch(descriptor: process.pidfd.number)
        // Before the pid is released: the processes that it started must not outlive it.
        process.signalGroup(SIGKILL)
        guard job != nil, !lifecycle.isEnding else { return finishExit() }
        // Its last messages may still be in the socket.
        thread.after(milliseconds: Self.outputGrace.ms) { self.finishExit() }
    }

    private func finishExit() {
        guard !hasEnded, let status = process.reap() else { return }
        stopWatching()
        output.drain()
        output.close()
        endpoint.close()
        network?.stop()
        unlink(path)
        perform(lifecycle.processDidExit(status))
        hasEnded = true
        arm()
        context.orphanSweep.processDidEnd(process.pid)
        onChange()
    }

    // MARK: - Requests to services

    private func ask(_ header: RequestHeader, body: [UInt8], ordinal: Int64) {
        guard let job else { return }
        do {
            let request = try ForwardedRequest(
                header,
                body,
                ordinal: ordinal,
                of: spec,
                during: job,
                waiting: pendingRequests
            )
            pendingRequests += 1
            let forward = context.services.forward
            let thread = context.loop.thread
            Task(executorPreference: thread, priority: .medium) {
                let answer: Result<[UInt8], any Error>
                do { answer = .success(try await forward(request)) } catch { answer = .failure(error) }
                thread.post { self.requestDidFinish(header.id, answer) }
            }
        } catch {
            perform([ExtensionLifecycle.refusal(header.id, Problem(error))])
        }
    }

    private func requestDidFinish(_ id: String, _ answer: Result<[UInt8], any Error>) {
        pendingRequests -= 1
        switch answer {
        case .success(let body):
            let header = ReplyHeader(id: id, ok: true).encoded()
            perform([.send([ExtensionProtocol.Kind.reply.frame, header, body])])
        case .failure(let error): perform([ExtensionLifecycle.refusal(id, Problem(error))])
        }
    }
}

/// The measurements of one call, or of the time between two calls.
private struct ExtensionRun {
    /// Upper bound on the lines of one call that are passed on. Bytes have a separate limit.
    static let linesMax = 2_000

    let isCold: Bool
    var started: Duration?
    var peakBytes: Int64 = 0
    var outputBytes: Int64 = 0
    private var lines = 0
    private var lastLines: [ExtensionLine] = []

    init(isCold: Bool) { self.isCold = isCold }

    /// Returns true if this line must be passed on. Of the lines beyond the limit, only the last are kept, for the outcome.
    mutating func add(_ line: ExtensionLine) -> Bool {
        lines += 1
        if !line.text.isEmpty { lastLines.append(line) }
        if lastLines.count > ExtensionOutcome.lastLinesMax { lastLines.removeFirst() }
        return lines <= Self.linesMax
    }

    func outcome(_ problem: Problem?, _ result: JSONValue?) -> ExtensionOutcome {
        var outcome = ExtensionOutcome(problem: problem)
        outcome.result = result
        outcome.peakBytes = peakBytes
        outcome.durationMs = started.map { Stopwatch.milliseconds() - $0.ms } ?? 0
        outcome.isCold = isCold
        outcome.lastLines = lastLines
        return outcome
    }
}

/// Plans the start of an extension.
private enum ExtensionStart {
    private static let logDescriptor: Int32 = 3
    private static let descriptorsMax: Int32 = 512
    private static let tasksMax: Int32 = 1_024
    /// Added to the limit on mapped memory, because stacks and heaps are mapped long before they are used. Used memory is measured,
    /// and this limit applies if the measurement is too late.
    private static let roomBytes: Int64 = 512 << 20

    static func plan(
        _ spec: ExtensionSpec,
        settings: ExtensionSettings,
        endpoint: String,
        output: ExtensionOutput,
        isStopped: Bool
    ) throws(Problem) -> SpawnPlan {
        var environment = settings.environment
        environment.merge(spec.environment) { _, own in own }
        environment[ExtensionEnvironment.host] = "ipc://" + endpoint
        environment[ExtensionEnvironment.app] = spec.app
        environment[ExtensionEnvironment.member] = spec.member
        environment[ExtensionEnvironment.point] = spec.point.rawValue
        environment[ExtensionEnvironment.logDescriptor] = String(logDescriptor)
        let containers = ExtensionBounds.containers(spec, environment)
        environment["TMPDIR"] = containers.last
        return SpawnPlan(
            executable: isStopped ? "/bin/sh" : spec.executable,
            // The shell stops itself and then becomes the extension, so that a debugger has all the time it needs.
            arguments: isStopped ? ["-c", "kill -STOP $$; exec \"$1\"", "sh", spec.executable] : [],
            environment: environment,
            workingDirectory: "/",
            standardOutput: output.writeEnd(.output),
            standardError: output.writeEnd(.error),
            descriptors: [logDescriptor: output.writeEnd(.log)],
            isTethered: true,
            bounds: try ExtensionBounds.make(
                spec,
                environment: environment,
                containers: containers,
                endpoint: endpoint
            ),
            dataBytesMax: isStopped ? nil : settings.limits.memoryBytes * 4 + roomBytes,
            descriptorsMax: descriptorsMax,
            tasksMax: tasksMax
        )
    }
}

/// The files that an extension can open: the machine's programs, its own bundle, and the containers of its app and groups.
private enum ExtensionBounds {
    private static let system = [
        "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/nix/store", "/gnu/store",
        "/sys/devices/system/cpu",
        // Swift's threads read their own entries by number. The memory, files and environments of other processes stay closed.
        "/proc",
        // Files for looking up network names and certificates.
        "/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager", "/var/lib/ca-certificates",
    ]
    private static let devices = ["/dev/null", "/dev/full", "/dev/random", "/dev/urandom"]

    /// Returns the folders of all groups, of the app, and of the app's temporary files.
    static func containers(_ spec: ExtensionSpec, _ environment: [String: String]) -> [String] {
        guard let state = environment[ExtensionEnvironment.state] else { return [] }
        let app = "\(state)/apps/\(spec.app)"
        return ["\(state)/groups", app, "\(app)/tmp"]
    }

    static func make(
        _ spec: ExtensionSpec,
        environment: [String: String],
        containers: [String],
        endpoint: String
    ) throws(Problem) -> SpawnBounds {
        // A folder that does not exist at the start stays closed to the extension.
        for container in containers { try Directories.prepare(container) }
        let told =
            split(environment["LD_LIBRARY_PATH"], ":") + [environment[ExtensionEnvironment.bundle] ?? ""]
        // A program in a person's home does not open the whole home.
        let closed = ["HOME", ExtensionEnvironment.state].compactMap {
            environment[$0].flatMap(DirectoryTree.real)
        }
        let folders = (SpawnBounds.places(of: spec.executable) + told.compactMap(DirectoryTree.real)).filter {
            folder in
            folder != "/" && closed.allSatisfy { !($0 + "/").hasPrefix(folder + "/") }
        }
        let files = [spec.executable, environment[ExtensionEnvironment.clock]].compactMap(\.self)
        let readable = system + folders + files + split(environment["LD_PRELOAD"], " ")
        let isConfined = spec.point.isConfined
        return SpawnBounds(
            readable: readable + (isConfined ? containers : []),
            writable: devices + (isConfined ? [] : containers),
            endpoint: endpoint
        )
    }

    private static func split(_ text: String?, _ separator: Character) -> [String] {
        (text ?? "").split(separator: separator).map(String.init)
    }
}
