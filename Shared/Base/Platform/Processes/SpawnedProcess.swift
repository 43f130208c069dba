import Glibc
import STCPlatform
import Synchronization

/// A program to start, with its arguments, descriptors and limits.
package struct SpawnPlan: Sendable {
    /// The path of the program. PATH is not searched.
    package var executable: String
    /// The arguments without the program's own name, which is added.
    package var arguments: [String]
    /// The complete environment. Nothing is inherited.
    package var environment: [String: String]
    package var workingDirectory: String?
    /// The descriptor for output. `nil` inherits ours.
    package var standardOutput: Int32?
    package var standardError: Int32?
    /// Further descriptors: the number in the child, and ours.
    package var descriptors: [Int32: Int32]
    /// True if the child gets its own session, without our terminal, and not only its own process group.
    package var startsSession: Bool
    /// True if the child gets a `Lifeline`.
    package var hasLifeline: Bool
    /// True if the kernel kills the child when the thread that starts it ends in any way.
    package var isTethered: Bool
    /// The files and sockets that a tethered child can access. `nil` does not restrict it.
    package var bounds: SpawnBounds?
    /// The maximum private memory that a tethered child can map, and the maximum number of files that it can open.
    package var dataBytesMax: Int64?
    package var descriptorsMax: Int32?
    /// The number of processes and threads that a tethered child can start. The kernel counts the whole account, so the processes
    /// of the account at the start are added.
    package var tasksMax: Int32?

    package init(
        executable: String,
        arguments: [String] = [],
        environment: [String: String] = [:],
        workingDirectory: String? = nil,
        standardOutput: Int32? = nil,
        standardError: Int32? = nil,
        descriptors: [Int32: Int32] = [:],
        startsSession: Bool = false,
        hasLifeline: Bool = false,
        isTethered: Bool = false,
        bounds: SpawnBounds? = nil,
        dataBytesMax: Int64? = nil,
        descriptorsMax: Int32? = nil,
        tasksMax: Int32? = nil
    ) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.workingDirectory = workingDirectory
        self.standardOutput = standardOutput
        self.standardError = standardError
        self.descriptors = descriptors
        self.startsSession = startsSession
        self.hasLifeline = hasLifeline
        self.isTethered = isTethered
        self.bounds = bounds
        self.dataBytesMax = dataBytesMax
        self.descriptorsMax = descriptorsMax
        self.tasksMax = tasksMax
    }
}

/// The files and sockets that a child can access. It cannot access other processes.
package struct SpawnBounds: Sendable {
    /// The files and folders that it can read and run, and those that it can read and change. Requires Landlock in the kernel.
    package var readable: [String]
    package var writable: [String]
    /// The path of the only socket that it can reach. `nil` allows all sockets and the network.
    package var endpoint: String?

    package init(readable: [String], writable: [String], endpoint: String? = nil) {
        self.readable = readable
        self.writable = writable
        self.endpoint = endpoint
    }

    /// True if this kernel can restrict a child to its files.
    package static var areEnforced: Bool { st_landlock_version() > 0 }

    /// The folder of a program, and the folders of Swift's libraries and tools named in the program's file.
    ///
    /// Other folders named in the file are ignored, because its author could otherwise open any folder.
    package static func places(of program: String) -> [String] {
        let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { room in
            let length = st_library_path(program, room.baseAddress, Int32(room.count))
            return length > 0 ? room.baseAddress.map { String(cString: $0) } ?? "" : ""
        }
        let end = "/lib/swift/linux"
        let libraries = text.split(separator: ":").compactMap { DirectoryTree.real(String($0)) }.filter {
            $0.hasSuffix(end)
        }
        let folder = DirectoryTree.real(program.lastIndex(of: "/").map { String(program[..<$0]) } ?? ".")
        return [folder].compactMap(\.self) + libraries + libraries.map { $0.dropLast(end.count) + "/libexec" }
    }
}

/// A child process. Identified by a descriptor, because the kernel may reuse its number.
package final class SpawnedProcess: Sendable {
    package let pid: Int32
    /// Readable once the process has ended.
    package let pidfd: OwnedDescriptor
    /// The child's network restriction, if the plan requested one.
    package let network: NetworkRestriction
    /// The write end of the lifeline. When it closes, also because this process dies, the child reads end of file.
    private let lifeline: OwnedDescriptor?
    /// The exit status, once reaped. The lock also prevents the pid from being reused while a signal is sent to its group.
    private let exitStatus = Mutex<ExitStatus?>(nil)

    private static let busyTimeout = Duration.seconds(2)

    package init(_ plan: SpawnPlan) throws(Problem) {
        ForgottenChildren.reap()
        var environment = plan.environment
        var descriptors = plan.descriptors
        var pipe: DescriptorPipe?
        if plan.hasLifeline {
            let made = try DescriptorPipe()
            let number = max(3, (descriptors.keys.max() ?? 2) + 1)
            descriptors[number] = made.readEnd.number
            environment[Lifeline.variable] = String(number)
            pipe = made
        }
        descriptors[0] = descriptors[0] ?? -1
        if let output = plan.standardOutput { descriptors[1] = output }
        if let output = plan.standardError { descriptors[2] = output }
        var offline = st_spawn_offline(refusals: -1, problem: 0)
        var result = try Self.spawn(
            plan,
            environment: environment,
            descriptors: descriptors,
            offline: &offline
        )
        // The kernel runs no program that is open for writing. A child that another thread starts has all our open files for a
        // moment, including a program that was just written.
        let deadline = Stopwatch.milliseconds() + Self.busyTimeout.ms
        while result == -ETXTBSY, Stopwatch.milliseconds() < deadline {
            poll(nil, 0, 5)
            result = try Self.spawn(
                plan,
                environment: environment,
                descriptors: descriptors,
                offline: &offline
            )
        }
        guard result > 0 else { throw Self.problem(plan, -result) }
        pid = result
        lifeline = pipe?.writeEnd
        // No other code can reap the child in between, so the number is still its own.
        let opened = st_pidfd_open(result)
        guard opened >= 0 else {
            kill(-result, SIGKILL)
            var status: Int32 = 0
            waitpid(result, &status, 0)
            throw SystemError.make("pidfd_open", number: -opened, code: "process.not_started")
        }
        let held = OwnedDescriptor(opened)
        pidfd = held
        network =
            plan.bounds?.endpoint.map { NetworkRestriction(offline, pid: result, pidfd: held, endpoint: $0) }
            ?? .open
    }

    deinit {
        if reap() == nil { ForgottenChildren.add(pid) }
    }

    /// Sends a signal to the process. Returns false if it has ended.
    @discardableResult
    package func signal(_ number: Int32) -> Bool { st_pidfd_signal(pidfd.number, number) == 0 }

    /// Sends a signal to the process and its group. Returns false if the process is reaped, because its number may then be reused.
    @discardableResult
    package func signalGroup(_ number: Int32) -> Bool {
        exitStatus.withLock { ending in
            // Until it is reaped, no other group can have its number.
            guard ending == nil else { return false }
            return kill(-pid, number) == 0
        }
    }

    /// True if the process has ended, reaped or not. Until `reap`, its group can still be signalled.
    package var hasEnded: Bool {
        exitStatus.withLock { $0 != nil || st_has_ended(pid) == 1 }
    }

    /// The exit status, or `nil` while the process runs. May be called repeatedly.
    package func reap() -> ExitStatus? {
        exitStatus.withLock { ending in
            if let ending { return ending }
            var code: Int32 = 0
            var signaled: Int32 = 0
            let result = st_reap(pid, &code, &signaled)
            guard result != 0 else { return nil }
            // An error means that other code has reaped the child, so its exit status is lost.
            if result < 0 { code = -1 }
            ending = signaled > 0 ? .signaled(signaled) : .exited(code)
            return ending
        }
    }

    /// Waits at most this many milliseconds for the end, and reaps. Returns `nil` if the process still runs.
    package func wait(deadlineMs: Int64) -> ExitStatus? {
        if let ending = reap() { return ending }
        return Readiness.wait(pidfd.number, withinMs: deadlineMs) ? reap() : nil
    }

    private static func spawn(
        _ plan: SpawnPlan,
        environment: [String: String],
        descriptors: [Int32: Int32],
        offline: inout st_spawn_offline
    ) throws(Problem) -> Int32 {
        let pairs = descriptors.sorted { $0.key < $1.key }
        let words = [plan.executable] + plan.arguments
        let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        for text in words + variables where text.utf8.contains(0) {
            throw Problem(
                "process.bad_argument",
                """
                an argument for \(plan.executable, "executable") contains a NUL byte; remove it from “\(text.prefix(40), "text")”
                """
            )
        }
        return withStrings(words) { words in
            withStrings(variables) { variables in
                withOptionalString(plan.workingDirectory) { directory in
                    plan.executable.withCString { path in
                        var request = st_spawn_plan()
                        request.path = path
                        request.arguments = words
                        request.environment = variables
                        request.directory = directory
                        request.count = Int32(clamping: pairs.count)
                        request.new_session = plan.startsSession ? 1 : 0
                        request.tethered = plan.isTethered ? 1 : 0
                        request.bounded = plan.bounds == nil ? 0 : 1
                        request.offline = plan.bounds?.endpoint == nil ? 0 : 1
                        request.data_bytes = plan.dataBytesMax ?? 0
                        request.descriptors = plan.descriptorsMax ?? 0
                        request.tasks = plan.tasksMax.map { $0 + ProcessTable.tasksOfAccount } ?? 0
                        return withStrings(plan.bounds?.readable ?? []) { readable in
                            withStrings(plan.bounds?.writable ?? []) { writable in
                                request.readable = readable
                                request.writable = writable
                                return pairs.map(\.value).withUnsafeBufferPointer { sources in
                                    pairs.map(\.key).withUnsafeBufferPointer { targets in
                                        request.sources = sources.baseAddress
                                        request.targets = targets.baseAddress
                                        return st_spawn(&request, &offline)
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private static func problem(_ plan: SpawnPlan, _ number: Int32) -> Problem {
        let reason = SystemError.text(number)
        let program = plan.executable
        let text =
            switch number {
            case ENOENT:
                Message(
                    "process.not_started.missing",
                    """
                    \(program, "program") cannot be started: \(reason, "reason"). Build it, or correct its path or \
                    working directory.
                    """
                )
            case EACCES:
                Message(
                    "process.not_started.no-access",
                    """
                    \(program, "program") cannot be started: \(reason, "reason"). Make it executable (chmod +x) and \
                    its directories readable.
                    """
                )
            case ETXTBSY:
                Message(
                    "process.not_started.busy",
                    "\(program, "program") cannot be started while another program is writing to it. Try again."
                )
            case EAGAIN, ENOMEM, EMFILE, ENFILE:
                Message(
                    "process.not_started.no-room",
                    "\(program, "program") cannot be started: \(reason, "reason"). End some programs, and try again."
                )
            default:
                Message(
                    "process.not_started",
                    "\(program, "program") cannot be started: \(reason, "reason")."
                )
            }
        return Problem(
            "process.not_started",
            text: text,
            retryable: [EAGAIN, ENOMEM, EMFILE, ENFILE, ETXTBSY].contains(number),
            details: ["errno": String(number)]
        )
    }
}

/// Calls the closure with a NULL-terminated array of C strings that is valid during the call.
private func withStrings<Result>(
    _ texts: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Result
) -> Result {
    var pointers = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    pointers.append(nil)
    return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
}

private func withOptionalString<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result
{
    guard let text else { return body(nil) }
    return text.withCString { body($0) }
}

/// The exit status of a process.
package enum ExitStatus: Sendable, Hashable {
    case exited(Int32)
    case signaled(Int32)

    package var isSuccess: Bool { self == .exited(0) }
}

extension ExitStatus: CustomStringConvertible {
    package var description: String { message.english }

    package var message: Message {
        switch self {
        case .exited(let code): Message("exit.status", "exited with status \(code, "status")")
        case .signaled(let signal): Message("exit.signal", "ended by \(Signals.name(signal), "signal")")
        }
    }
}

/// Children whose `SpawnedProcess` was released. They are reaped after they have ended, so that no zombie remains.
///
/// This needs no thread: it runs whenever another child is started or added.
private enum ForgottenChildren {
    private static let pids = Mutex<[Int32]>([])

    static func add(_ pid: Int32) {
        pids.withLock { $0.append(pid) }
        reap()
    }

    /// A child keeps its number until it is reaped, so this never reaps another process.
    static func reap() {
        pids.withLock { pids in
            pids.removeAll { pid in
                var status: Int32 = 0
                return waitpid(pid, &status, WNOHANG) != 0
            }
        }
    }
}

/// Lets a child detect that its parent has died: the read end of a pipe whose other end only the parent holds.
///
/// `posix_spawn` cannot set PDEATHSIG, and a parent that was killed cannot send a message. The kernel closes the pipe.
package enum Lifeline {
    package static let variable = "SCREENTIME_LIFELINE_FD"

    /// The descriptor received from the parent. `nil` if there is none.
    ///
    /// The descriptor becomes readable (end of file) once the parent has ended. This sets it to close on exec, so that a child of
    /// this process does not use it as its own.
    package static func descriptor(environment: [String: String]) -> Int32? {
        guard let number = environment[variable].flatMap(Int32.init), number > 2 else { return nil }
        return st_set_cloexec(number) == 0 ? number : nil
    }
}
