import Glibc
import STContracts
import STPlatform

/// Draws pictures with `screentime-draw --stay`.
///
/// The program starts with the first request, and ends by itself if there are no requests. Fonts need 13 MB there, so this
/// process stays small.
///
/// Runs on one loop thread. One request is sent at a time, and at most `waitingMax` requests wait.
actor DrawingClient {
    static let waitingMax = 32
    /// The time limit of a drawing. It is longer than the limit of the program itself.
    private static let timeout: Duration = .milliseconds(DrawLimits.deadlineMs) + .seconds(5)
    private static let answerBytesMax = 1 << 20
    /// The maximum time that a killed program takes to end.
    private static let endTimeout: Duration = .seconds(1)
    /// The time after which a write to a program that does not read yet is repeated.
    private static let writeRetry: Duration = .milliseconds(3)

    private static let sending = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)

    private struct Job {
        var number: Int64
        var line: [UInt8]
        var sent = 0
        /// True if the request was sent to a second program. The first one may have ended because it had no requests.
        var isSecond = false
        var done: (Result<DrawSessionReply, Problem>) -> Void
    }

    private let thread: LoopThread
    private let program: String
    private let folder: String
    private let environment: [String: String]
    private var jobs: [Job] = []
    private var numbers: Int64 = 0
    private var child: DrawingProcess?
    private var deadline: UInt64?
    private var isClosed = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Creates `folder`, which must belong to the easel. An existing folder is removed, with the pictures of an earlier process.
    init(thread: LoopThread, program: String, folder: String, environment: [String: String]) throws(Problem) {
        self.thread = thread
        self.program = program
        self.folder = folder
        let kept = [
            "HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS", "FONTCONFIG_FILE",
            "FONTCONFIG_PATH",
        ]
        self.environment = environment.filter { kept.contains($0.key) }
        try DirectoryTree.remove(folder)
        guard mkdir(folder, 0o700) == 0 else { throw SystemError.last("mkdir") }
    }

    func draw(_ request: DrawPanelRequest) async throws(Problem) -> (path: String, answer: DrawPanelAnswer) {
        var request = request
        request.output = nextPath()
        guard let panel = try await sendRequest({ DrawSessionRequest(number: $0, panel: request) }).panel
        else {
            throw Self.timeoutProblem
        }
        return (request.output, panel)
    }

    func draw(_ request: DrawRequest) async throws(Problem) -> (path: String, answer: DrawAnswer) {
        var request = request
        request.output = nextPath()
        guard let shield = try await sendRequest({ DrawSessionRequest(number: $0, shield: request) }).shield
        else {
            throw Self.timeoutProblem
        }
        return (request.output, shield)
    }

    /// Deletes pictures that are no longer shown.
    func discard(_ paths: [String]) {
        for path in paths where path.hasPrefix(folder + "/") { unlink(path) }
    }

    func close() {
        isClosed = true
        end(Problem("draw.closed", "desktop-agent is stopping."))
        try? DirectoryTree.remove(folder)
    }

    // MARK: - Requests

    private static let timeoutProblem = Problem(
        "draw.failed",
        "screentime-draw did not return a picture.",
        key: "draw.failed.screentime-draw-did"
    )

    private func nextPath() -> String {
        numbers += 1
        return "\(folder)/\(numbers).argb32"
    }

    private func sendRequest(_ make: (Int64) -> DrawSessionRequest) async throws(Problem) -> DrawSessionReply
    {
        guard !isClosed, jobs.count < Self.waitingMax else {
            throw Problem(
                "draw.busy",
                "Too many pictures are waiting to be drawn. Try again in a moment.",
                retryable: true
            )
        }
        numbers += 1
        let number = numbers
        let line: [UInt8]
        do {
            line = try make(number).encodedBody() + [0x0A]
        } catch {
            throw Problem(
                "draw.bad_request",
                "Screen Time could not encode the drawing request: \(error, "error")",
                key: "draw.bad_request.the-request-for"
            )
        }
        let result = await withCheckedContinuation { continuation in
            jobs.append(Job(number: number, line: line) { continuation.resume(returning: $0) })
            if jobs.count == 1 { begin() }
        }
        let answer = try result.get()
        if let problem = answer.problem { throw problem }
        return answer
    }

    private func begin() {
        guard !jobs.isEmpty else { return }
        do {
            if child == nil { try start() }
        } catch {
            return finish(.failure(Problem(error)))
        }
        deadline = thread.after(milliseconds: Self.timeout.ms) { [weak self] in
            self?.assumeIsolated {
                $0.deadline = nil
                $0.end(
                    Problem("draw.too_slow", "The picture was not drawn in time. Try again.", retryable: true)
                )
            }
        }
        write()
    }

    private func write() {
        guard let child, var job = jobs.first else { return }
        while job.sent < job.line.count {
            let count = job.line[job.sent...].withUnsafeBytes {
                send(child.input.number, $0.baseAddress, $0.count, Self.sending)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            job.sent += count
        }
        jobs[0].sent = job.sent
        guard job.sent < job.line.count else { return }
        // This also applies if the program has ended, because its end is about to be read.
        let number = job.number
        thread.after(milliseconds: Self.writeRetry.ms) { [weak self] in
            self?.assumeIsolated { if $0.jobs.first?.number == number { $0.write() } }
        }
    }

    private func finish(_ result: Result<DrawSessionReply, Problem>) {
        if let deadline { thread.cancelTimer(deadline) }
        deadline = nil
        guard !jobs.isEmpty else { return }
        jobs.removeFirst().done(result)
        begin()
    }

    // MARK: - The program

    private final class DrawingProcess {
        let process: SpawnedProcess
        let input: OwnedDescriptor
        var output: [UInt8] = []

        init(_ process: SpawnedProcess, _ input: OwnedDescriptor) {
            self.process = process
            self.input = input
        }
    }

    /// Starts the program. Its input and output are one socket, so that a write never blocks and never raises a signal.
    private func start() throws {
        guard access(program, X_OK) == 0 else {
            throw Problem(
                "draw.not_installed",
                "\(program, "program") is missing, so Screen Time cannot draw anything. Install it."
            )
        }
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw SystemError.last("socketpair") }
        let (own, other) = (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
        let plan = SpawnPlan(
            executable: program,
            arguments: ["--stay"],
            environment: environment,
            standardOutput: other.number,
            descriptors: [0: other.number]
        )
        let made = DrawingProcess(try SpawnedProcess(plan), own)
        child = made
        let descriptor = own.number
        thread.currentWaiter.watch(descriptor: own.number) { [weak self] in
            self?.assumeIsolated { $0.read(descriptor) }
        }
    }

    private func read(_ descriptor: Int32) {
        guard let child, child.input.number == descriptor else { return }
        var part = [UInt8](repeating: 0, count: 16 * 1024)
        let count = recv(descriptor, &part, part.count, Int32(MSG_DONTWAIT))
        if count < 0 && (errno == EINTR || errno == EAGAIN) { return }
        guard count > 0, child.output.count + count <= Self.answerBytesMax else { return hasEnded() }
        child.output += part[..<count]
        while let end = child.output.firstIndex(of: 0x0A) {
            let line = Array(child.output[..<end])
            child.output.removeSubrange(...end)
            guard let answer = try? DrawSessionReply.decodedBody(line), answer.number == jobs.first?.number
            else {
                continue
            }
            finish(.success(answer))
        }
    }

    /// Handles the end of the program's output. Usually the program ended because it had no requests for a while.
    private func hasEnded() {
        release()
        guard !jobs.isEmpty else { return }
        if let deadline { thread.cancelTimer(deadline) }
        deadline = nil
        guard !jobs[0].isSecond else { return finish(.failure(Self.timeoutProblem)) }
        jobs[0].isSecond = true
        jobs[0].sent = 0
        begin()
    }

    /// Ends the program and the drawing under way.
    private func end(_ problem: Problem) {
        let process = child?.process
        process?.signalGroup(SIGKILL)
        release()
        if isClosed {
            // The thread ends soon and cannot reap the process later.
            _ = process?.wait(deadlineMs: Self.endTimeout.ms)
            let all = jobs
            jobs = []
            for job in all { job.done(.failure(problem)) }
        } else {
            finish(.failure(problem))
        }
    }

    private func release() {
        guard let child else { return }
        self.child = nil
        thread.currentWaiter.unwatch(descriptor: child.input.number)
        Self.reap(child, thread, triesLeft: 20)
    }

    /// Reaps the program. It ends as soon as it has read the end of its input. Otherwise it is killed after a second.
    private static func reap(_ child: DrawingProcess, _ thread: LoopThread, triesLeft: Int) {
        shutdown(child.input.number, Int32(SHUT_RDWR))
        guard child.process.reap() == nil else { return }
        if triesLeft == 0 { child.process.signalGroup(SIGKILL) }
        thread.after(milliseconds: triesLeft > 0 ? 50 : 200) {
            reap(child, thread, triesLeft: max(0, triesLeft - 1))
        }
    }
}
