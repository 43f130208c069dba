import Glibc
import STPlatform
import Synchronization

/// `system up --detach`: starts the same command in a separate session and waits until it is ready.
struct DetachedStart: Sendable {
    /// Longer than the start timeout of the process in the background. It applies only if that process hangs.
    private static let timeout = StartWatch.timeout + .seconds(10)
    private static let reportBytesMax = 256 * 1024

    let plan: UpPlan
    let terminal: Terminal

    func run() async throws -> ExitCode {
        let (process, reader) = try spawn()
        let text = try await OwnThread.run("start-report") { [terminal] in
            Self.read(reader, progress: terminal.progress)
        }
        guard let text else {
            process.signalGroup(SIGTERM)
            throw Problem(
                "system.not_ready",
                """
                The background process of Screen Time did not respond within \
                \(MessageValue.duration(ms: Self.timeout.ms), "time") and was stopped.
                """,
                help: "less \(plan.places.outputPath)"
            )
        }
        if text.hasPrefix(StartReport.ready) {
            terminal.write(String(text.dropFirst(StartReport.ready.count).dropLast()))
            return .done
        }
        _ = try await OwnThread.run("start-end") { process.wait(deadlineMs: Self.timeout.ms) }
        let title = Speech.say("system.not-started", "Not started.")
        terminal.note(terminal.styled(title, .red) + " " + (text.isEmpty ? exitProblem(process) : text))
        terminal.note(Speech.say("system.its-whole-output", "Full output: ") + plan.places.outputPath)
        return .no
    }

    private func spawn() throws -> (SpawnedProcess, OwnedDescriptor) {
        for directory in [plan.places.directories.state, plan.places.directories.logs] {
            try Directories.prepare(directory)
        }
        let output = try OutputFile.open(plan.places.outputPath, renaming: false)
        let pipe = try DescriptorPipe()
        var environment = plan.environment
        environment["SCREENTIME_RUN"] = plan.places.directories.run
        environment["SCREENTIME_STATE"] = plan.places.directories.state
        environment[StartReport.variable] = "3"
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: try SystemPlaces.executable(),
                arguments: plan.arguments,
                environment: environment,
                // A file system cannot be unmounted while a process has its working directory there.
                workingDirectory: "/",
                standardOutput: output.number,
                standardError: output.number,
                descriptors: [3: pipe.writeEnd.number],
                startsSession: true
            )
        )
        // From here on only the child has the write end, so reading ends when the child dies.
        return (process, pipe.readEnd)
    }

    /// Returns the last report, or `nil` if none arrived in time.
    private static func read(_ reader: OwnedDescriptor, progress: (String) -> Void) -> String? {
        var deadline = Stopwatch.milliseconds() + timeout.ms
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while bytes.count < reportBytesMax {
            let left = deadline - Stopwatch.milliseconds()
            guard Readiness.wait(reader.number, withinMs: left) else { return nil }
            let count = Glibc.read(reader.number, &part, part.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += part[..<count]
            let mark = UInt8(ascii: StartReport.progressMark)
            while bytes.first == mark, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                progress(String(decoding: bytes[1..<end], as: UTF8.self))
                bytes.removeSubrange(...end)
                deadline = Stopwatch.milliseconds() + StartProgress.timeoutMs + timeout.ms
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func exitProblem(_ process: SpawnedProcess) -> String {
        let how =
            process.reap().map { Speech.say($0.message) }
            ?? Speech.say("system.it-still-runs", "it is still running")
        return Speech.say(
            "system.screen-time-in-the",
            "Screen Time did not become ready in the background: \(how, "how")."
        )
    }
}

/// Reports the start of a system in the background to the command that started it.
///
/// The report uses a pipe whose other end is in the starting command. The pipe closes if this process dies first, so the starting
/// command never waits for a dead process.
final class StartReport: Sendable {
    static let variable = "SCREENTIME_START_REPORT"
    static let ready = "ready\n"
    /// The first character of a line that is not yet a report.
    static let progressMark: Unicode.Scalar = "\u{1}"

    /// True if `--detach` started this process in the background.
    let isWanted: Bool
    private let pipe: Mutex<OwnedDescriptor?>

    init(environment: [String: String]) {
        guard let number = environment[Self.variable].flatMap(Int32.init), number > 2 else {
            isWanted = false
            pipe = Mutex(nil)
            return
        }
        // Services must not inherit the pipe. Otherwise it would stay open when this process dies.
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        isWanted = true
        pipe = Mutex(OwnedDescriptor(number))
    }

    func send(progress: String) {
        pipe.withLock { pipe in
            guard let pipe else { return }
            _ = OwnedDescriptor.write("\(Self.progressMark)\(progress)\n".utf8, to: pipe.number)
        }
    }

    /// Reports once and closes the pipe, for which the starting command waits.
    func send(isReady: Bool, _ text: String) {
        let taken = pipe.withLock { pipe in
            defer { pipe = nil }
            return pipe
        }
        guard let taken else { return }
        // The starting command may have ended. The log contains the text as well.
        _ = OwnedDescriptor.write(((isReady ? Self.ready : "") + text + "\n").utf8, to: taken.number)
    }
}

/// The log of a system in the background: standard output and error. A log that is too large is renamed to `.1`.
final class OutputFile: @unchecked Sendable {
    // @unchecked: only the thread that writes the merged log uses `size`.
    private static let bytesMax = 8 << 20

    private let path: String
    private var size: Int

    init(path: String) {
        self.path = path
        var about = stat()
        size = fstat(STDOUT_FILENO, &about) == 0 ? Int(about.st_size) : 0
    }

    func makeRoom(for count: Int) {
        size += count
        guard size > Self.bytesMax, let new = try? Self.open(path, renaming: true) else { return }
        dup2(new.number, STDOUT_FILENO)
        dup2(new.number, STDERR_FILENO)
        size = count
    }

    static func open(_ path: String, renaming: Bool) throws(Problem) -> OwnedDescriptor {
        if renaming { rename(path, path + ".1") }
        let number = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else {
            throw Problem(
                "system.no_log",
                "Cannot write the log \(path, "path"): \(SystemError.text(errno), "errno"). Correct that and try again."
            )
        }
        return OwnedDescriptor(number)
    }
}
