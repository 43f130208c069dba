import Glibc
import STPlatform

/// The supervisor's work, on its own thread.
final class SupervisorLoop: @unchecked Sendable {
    // @unchecked: `thread`, `board` and the constants are safe to share. All else is used on `thread` only, which every entry
    // checks.
    let thread: LoopThread
    private let board: SupervisorBoard
    private let directories: Directories
    private let options: SupervisorOptions
    private var notifySocket: NotifySocket
    private let ownLog: ServiceLog
    private let clock = SystemTimeSource()
    private let started: WallTime
    private let key: OwnedDescriptor
    private var lock: InstanceLock?
    private var services: [SupervisedService]
    /// The services in the order of their first start. They stop in reverse order.
    private var startOrder: [SupervisedService] = []
    private var isStopping = false
    private var hasFinished = false
    private var published: [ServiceStatus]?
    private var timer: UInt64?
    private var watch: PathWatch?
    private static let repairRetry = Duration.seconds(1)

    init(
        directories: Directories,
        specs: [ServiceSpec],
        logs: [String: ServiceLog],
        ownLog: ServiceLog,
        options: SupervisorOptions,
        board: SupervisorBoard
    ) throws(Problem) {
        self.directories = directories
        self.options = options
        self.board = board
        self.ownLog = ownLog
        lock = try InstanceLock(path: Self.lockPath(directories), what: "a supervisor")
        key = try SystemKey.make()
        notifySocket = try NotifySocket(path: directories.run + "/supervisor.notify")
        services = specs.compactMap { spec in
            logs[spec.name].map { SupervisedService(spec: spec, log: $0, options: options) }
        }
        started = clock.now().wall
        do {
            thread = try LoopThread(name: "supervisor")
        } catch {
            throw (error as? Problem)
                ?? Problem(
                    "supervisor.no_thread",
                    "The supervisor could not start a thread: \(error, "error"). Close some programs and try again."
                )
        }
    }

    // MARK: - Entries, all on the thread

    func begin() {
        thread.checkIsolated()
        listen()
        follow()
        reconcile()
    }

    private func listen() {
        thread.currentWaiter.watch(descriptor: notifySocket.descriptor) { [self] in
            receiveNotifications()
            reconcile()
        }
    }

    // MARK: - Another program removes our files

    private static func lockPath(_ directories: Directories) -> String {
        directories.run + "/supervisor.lock"
    }

    private func follow() {
        let files =
            [Self.lockPath(directories), notifySocket.path] + services.map(\.log.path) + [ownLog.path]
            + services.compactMap(\.spec.wantedBy)
        watch = PathWatch(files, on: thread.currentWaiter) { [unowned self] in
            repairFiles()
            if services.contains(where: { $0.spec.wantedBy != nil && canStart($0) }) { reconcile() }
        }
        repairFiles()
    }

    /// Creates missing folders, locks, sockets and logs again. Services restore their own sockets.
    private func repairFiles() {
        guard !isStopping, !hasFinished else { return }
        do throws(Problem) {
            var isNew = false
            for log in services.map(\.log) + [ownLog] where log.isGone {
                try Directories.prepare(directories.logs)
                try log.reopen()
                isNew = true
            }
            if lock?.isRemoved(from: Self.lockPath(directories)) == true {
                try Directories.prepare(directories.run)
                lock = try InstanceLock(path: Self.lockPath(directories), what: "a supervisor")
                isNew = true
            }
            if !notifySocket.exists {
                thread.currentWaiter.unwatch(descriptor: notifySocket.descriptor)
                notifySocket = try NotifySocket(path: notifySocket.path)
                listen()
                isNew = true
            }
            guard isNew else { return }
            writeLog("another program removed files of Screen Time while it ran; they are there again")
            follow()
            published = nil
            reconcile()
        } catch  where error.code == "instance.already_running" {
            writeLog("\(error.message); this one stops")
            stopAll()
        } catch {
            writeLog(error.message)
            _ = thread.after(milliseconds: Self.repairRetry.ms) { [self] in repairFiles() }
        }
    }

    func stopAll() {
        thread.checkIsolated()
        guard !isStopping else { return }
        isStopping = true
        writeLog("stopping")
        reconcile()
    }

    func request(_ event: LifecycleEvent, for name: String) {
        thread.checkIsolated()
        guard !isStopping, let service = services.first(where: { $0.spec.name == name }) else { return }
        apply(event, to: service)
        reconcile()
    }

    private func tick() {
        timer = nil
        for service in services { apply(.tick, to: service) }
        reconcile()
    }

    // MARK: - Effects

    private func apply(_ event: LifecycleEvent, to service: SupervisedService) {
        let before = service.lifecycle.state
        let effects = service.lifecycle.handle(event, now: .milliseconds(Stopwatch.milliseconds()))
        let after = service.lifecycle.state
        if after.isReady != before.isReady { service.readySince = after.isReady ? clock.now() : nil }
        if after.name != before.name { writeLog(describe(service)) }
        for effect in effects {
            switch effect {
            case .spawn: spawn(service)
            case .signal(let number): service.process?.signal(number)
            case .signalGroup(let number): service.process?.signalGroup(number)
            }
        }
    }

    private func spawn(_ service: SupervisedService) {
        if !startOrder.contains(where: { $0 === service }) { startOrder.append(service) }
        service.statusText = nil
        // The service would wait for a notify socket that is gone.
        repairFiles()
        do throws(Problem) {
            let pipe = try DescriptorPipe()
            try pipe.makeReadEndNonblocking()
            let plan = service.plan(
                directories: directories,
                notifySocket: notifySocket.path,
                output: pipe.writeEnd.number,
                key: key.number
            )
            let process = try SpawnedProcess(plan)
            service.process = process
            service.output = pipe.readEnd
            watch(service, process: process, output: pipe.readEnd)
            apply(.spawned, to: service)
        } catch {
            service.log.append(error.message)
            apply(.spawnFailed(reason: error.text, retryable: error.retryable), to: service)
        }
    }

    private func watch(_ service: SupervisedService, process: SpawnedProcess, output: OwnedDescriptor) {
        thread.currentWaiter.watch(descriptor: process.pidfd.number) { [self] in
            processDidEnd(service, process)
        }
        watchOutput(of: service, output)
    }

    private func watchOutput(of service: SupervisedService, _ output: OwnedDescriptor) {
        thread.currentWaiter.watch(descriptor: output.number) { [self] in
            // A handler called earlier in the same turn may have closed this output.
            guard service.output === output else { return }
            if !readOutput(of: service, output, partsMax: 4) { closeOutput(of: service) }
        }
    }

    private func processDidEnd(_ service: SupervisedService, _ process: SpawnedProcess) {
        guard service.process === process, process.hasEnded else { return }
        // Its last messages count before its end.
        receiveNotifications()
        // Processes that it started in its group would keep its sockets. Until it is reaped, the number of the group is not reused.
        process.signalGroup(SIGKILL)
        guard let status = process.reap() else { return }
        thread.currentWaiter.unwatch(descriptor: process.pidfd.number)
        service.process = nil
        if let output = service.output {
            // Bounded, because a process outside the group may hold the other end and continue to write.
            _ = readOutput(of: service, output, partsMax: 16)
            closeOutput(of: service)
        }
        startCleanup(after: service, status)
    }

    /// Reports the end of the service. Its `afterEnd` program has ended too.
    private func finishEnding(_ service: SupervisedService, _ status: ExitStatus) {
        apply(.exited(status), to: service)
        reconcile()
    }

    private func receiveNotifications() {
        // Bounded, so that a sender in a loop cannot block the supervisor.
        for _ in 0..<256 {
            guard let message = notifySocket.receive() else { return }
            let sender = services.first { service in
                guard let pid = service.process?.pid else { return false }
                return pid == message.pid || pid == message.group
            }
            guard let sender else { continue }
            if let status = message.status { sender.statusText = status }
            if let ms = message.extendsByMs { apply(.extended(by: .milliseconds(ms)), to: sender) }
            if message.isReady { apply(.becameReady, to: sender) }
            if message.feedsWatchdog { apply(.fedWatchdog, to: sender) }
        }
    }

    // MARK: - Output

    /// Reads at most this many parts. Returns false at the end of the stream.
    private func readOutput(of service: SupervisedService, _ output: OwnedDescriptor, partsMax: Int) -> Bool {
        var part = [UInt8](repeating: 0, count: 64 * 1024)
        for _ in 0..<partsMax {
            let count = read(output.number, &part, part.count)
            if count < 0 && errno == EINTR { continue }
            if count < 0 { return errno == EAGAIN }
            if count == 0 { return false }
            service.splitter.add(part[..<count]) { emit(service, $0) }
        }
        return true
    }

    private func closeOutput(of service: SupervisedService) {
        guard let output = service.output else { return }
        service.splitter.finish { emit(service, $0) }
        thread.currentWaiter.unwatch(descriptor: output.number)
        service.output = nil
    }

    private func emit(_ service: SupervisedService, _ line: String) {
        service.log.append(line)
        options.sink?(service.spec.name, line)
    }

    private func writeLog(_ line: String) {
        ownLog.append("\(RFC3339.text(wallMs: clock.now().wallMs)) \(line)")
        options.sink?("supervisor", line)
    }

    private func describe(_ service: SupervisedService) -> String {
        let status = service.status
        let reason = status.failure.map { ": \($0.english)" } ?? ""
        let detail =
            switch status.state {
            case .backingOff(let until):
                "\(reason); starts again in \(TextFormat.duration(ms: max(1, until.ms - Stopwatch.milliseconds())))"
            case .stopping, .failed: reason
            case .stopped: status.lastExit.map { " (\($0))" } ?? ""
            case .waiting, .starting, .ready: ""
            }
        return "\(status.name) is \(status.state.name)\(detail)"
    }

    // MARK: - After each event

    private func reconcile() {
        guard !hasFinished else { return }
        if isStopping { stopNext() } else { startWaiting() }
        publish()
        schedule()
        if isStopping && services.allSatisfy({ !$0.lifecycle.state.isRunning }) { finish() }
    }

    private func startWaiting() {
        // A service that is ready immediately lets others start, so this repeats until no further one can.
        while let service = services.first(where: canStart) { apply(.start, to: service) }
    }

    private func canStart(_ service: SupervisedService) -> Bool {
        service.lifecycle.state == .waiting && service.spec.isWanted
            && service.spec.startAfter.allSatisfy { name in
                services.contains { $0.spec.name == name && $0.lifecycle.state.isReady }
            }
    }

    /// Stops one service after the other, the last started first. Services without a process stop immediately.
    private func stopNext() {
        for service in services where !service.lifecycle.state.isRunning { apply(.stop, to: service) }
        guard let last = startOrder.last(where: { $0.lifecycle.state.isRunning }) else { return }
        apply(.stop, to: last)
    }

    private func publish() {
        let statuses = services.filter { $0.lifecycle.state != .waiting || $0.spec.isWanted }.map(\.status)
        guard statuses != published else { return }
        published = statuses
        let text = SupervisorReport.text(
            pid: getpid(),
            started: started,
            isDemo: options.isDemo,
            services: statuses
        )
        do throws(Problem) {
            // Not durable: after a power cut none of it is true.
            try AtomicFile.write(Array(text.utf8), to: Self.reportPath(directories), durable: false)
        } catch {
            ownLog.append(error.message)
        }
        let processes = services.compactMap { service in service.process.map { (service.spec.name, $0) } }
        board.publish(statuses, Dictionary(processes) { first, _ in first })
    }

    private func schedule() {
        if let timer { thread.cancelTimer(timer) }
        timer = nil
        guard let next = services.compactMap(\.lifecycle.nextTick).min() else { return }
        timer = thread.after(milliseconds: max(0, next.ms - Stopwatch.milliseconds())) { [self] in tick() }
    }

    private func finish() {
        hasFinished = true
        writeLog("stopped")
        if let timer { thread.cancelTimer(timer) }
        thread.currentWaiter.unwatch(descriptor: notifySocket.descriptor)
        watch = nil
        unlink(notifySocket.path)
        unlink(Self.reportPath(directories))
        lock = nil
        thread.stop()
        board.end()
    }

    private static func reportPath(_ directories: Directories) -> String {
        directories.run + "/supervisor.json"
    }

    // MARK: - After the end of a service, before its end is reported

    private func startCleanup(after service: SupervisedService, _ status: ExitStatus) {
        guard let afterEnd = service.spec.afterEnd else { return finishEnding(service, status) }
        do throws(Problem) {
            let pipe = try DescriptorPipe()
            try pipe.makeReadEndNonblocking()
            let plan = service.plan(afterEnd, directories: directories, output: pipe.writeEnd.number)
            let process = try SpawnedProcess(plan)
            service.cleanupProcess = process
            service.output = pipe.readEnd
            watchOutput(of: service, pipe.readEnd)
            let timer = thread.after(milliseconds: afterEnd.timeout.ms) { process.signalGroup(SIGKILL) }
            thread.currentWaiter.watch(descriptor: process.pidfd.number) { [self] in
                tidied(service, process: process, status: status, timer: timer)
            }
        } catch {
            // The service is more important: it must not stay down because of this.
            writeLog("\(service.spec.name): its clean-up program could not be started: \(error.message)")
            finishEnding(service, status)
        }
    }

    private func tidied(
        _ service: SupervisedService,
        process: SpawnedProcess,
        status: ExitStatus,
        timer: UInt64
    ) {
        guard service.cleanupProcess === process, process.hasEnded else { return }
        process.signalGroup(SIGKILL)
        guard let ending = process.reap() else { return }
        thread.cancelTimer(timer)
        thread.currentWaiter.unwatch(descriptor: process.pidfd.number)
        service.cleanupProcess = nil
        if let output = service.output {
            _ = readOutput(of: service, output, partsMax: 16)
            closeOutput(of: service)
        }
        let name = service.spec.afterEnd.map(\.executable) ?? ""
        if !ending.isSuccess { writeLog("\(service.spec.name): its clean-up program \(name) \(ending)") }
        finishEnding(service, status)
    }
}
