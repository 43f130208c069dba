import Glibc
import STCPlatform
import Synchronization

/// What to start, and with what.
package struct SpawnPlan: Sendable {
    /// A path, not a name: nothing is searched in PATH.
    package var executable: String
    /// Without the program's own name, which is added.
    package var arguments: [String]
    /// The complete environment; nothing is inherited.
    package var environment: [String: String]
    package var workingDirectory: String?
    /// Where output goes; nil inherits ours.
    package var standardOutput: Int32?
    package var standardError: Int32?
    /// Further descriptors: the number in the child, and ours.
    package var descriptors: [Int32: Int32]
    /// Whether the child gets its own session, without our terminal, and not only its own process group.
    package var startsSession: Bool
    /// Whether the child gets a `Lifeline`.
    package var hasLifeline: Bool
    /// Whether the kernel kills the child as soon as the thread that starts it ends, however that comes.
    package var isTethered: Bool
    /// What a tethered child may touch; nil is all that we may.
    package var bounds: SpawnBounds?
    /// The most memory of its own that a tethered child can map, and the most files that it can have open.
    package var dataBytesMax: Int64?
    package var descriptorsMax: Int32?
    /// The number of processes and threads that a tethered child can start. The kernel counts the whole account, so the
    /// processes of the account at the start are added.
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

/// What a child may touch of the machine. Other processes are closed to it.
package struct SpawnBounds: Sendable {
    /// The files and folders that it can read and run, and those that it can read and change, as far as the kernel has
    /// Landlock.
    package var readable: [String]
    package var writable: [String]
    /// The path of the only socket that it can reach; nil leaves it all sockets and the network.
    package var endpoint: String?

    package init(readable: [String], writable: [String], endpoint: String? = nil) {
        self.readable = readable
        self.writable = writable
        self.endpoint = endpoint
    }

    /// Whether this kernel can keep a child to its files.
    package static var areKept: Bool { st_landlock_version() > 0 }

    /// The folder of a program, and those of Swift's libraries and tools where its file says that it looks for them.
    ///
    /// Any other place that a file names would let its author open what they like.
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

/// A child process, held by a descriptor, because the kernel may give its number to another process.
package final class SpawnedProcess: Sendable {
    package let pid: Int32
    /// Readable once the process has ended.
    package let pidfd: OwnedDescriptor
    /// What keeps it from the network, if the plan asked for that.
    package let network: NetworkBar
    /// When this end closes, also by our death, the child sees end of file on the other.
    private let lifeline: OwnedDescriptor?
    /// How it ended, once reaped. The lock also keeps the pid ours while a signal goes to its group.
    private let ending = Mutex<ExitStatus?>(nil)

    private static let busyMs: Int64 = 2000

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
        var result = try Self.spawn(plan, environment, descriptors, &offline)
        // The kernel runs no program that is open for writing. A child that another thread starts holds all our open
        // files for a moment, also a program that was just written.
        let deadline = Stopwatch.milliseconds() + Self.busyMs
        while result == -ETXTBSY, Stopwatch.milliseconds() < deadline {
            poll(nil, 0, 5)
            result = try Self.spawn(plan, environment, descriptors, &offline)
        }
        guard result > 0 else { throw Self.problem(plan, -result) }
        pid = result
        lifeline = pipe?.writeEnd
        // The child cannot be reaped by anyone else in between, so the number is still its own.
        let opened = st_pidfd_open(result)
        guard opened >= 0 else {
            kill(-result, SIGKILL)
            var status: Int32 = 0
            waitpid(result, &status, 0)
            throw SystemError.make("pidfd_open", -opened, "process.not_started")
        }
        let held = OwnedDescriptor(opened)
        pidfd = held
        network = plan.bounds?.endpoint.map { NetworkBar(offline, result, held, endpoint: $0) } ?? .open
    }

    deinit {
        if reap() == nil { ForgottenChildren.add(pid) }
    }

    /// Sends a signal to the process; false when it has ended.
    @discardableResult
    package func signal(_ number: Int32) -> Bool { st_pidfd_signal(pidfd.number, number) == 0 }

    /// Sends a signal to the process and all it started in its group; false when that cannot be done safely any more.
    @discardableResult
    package func signalGroup(_ number: Int32) -> Bool {
        ending.withLock { ending in
            // Until it is reaped, no other group can have its number.
            guard ending == nil else { return false }
            return kill(-pid, number) == 0
        }
    }

    /// Whether it has ended, reaped or not; until `reap`, its group can still be signalled.
    package var hasEnded: Bool {
        ending.withLock { $0 != nil || st_has_ended(pid) == 1 }
    }

    /// How it ended, or nil while it runs; may be called again.
    package func reap() -> ExitStatus? {
        ending.withLock { ending in
            if let ending { return ending }
            var code: Int32 = 0
            var signaled: Int32 = 0
            let result = st_reap(pid, &code, &signaled)
            guard result != 0 else { return nil }
            // An error means that other code has reaped it, so how it ended cannot be known any more.
            if result < 0 { code = -1 }
            ending = signaled > 0 ? .signaled(signaled) : .exited(code)
            return ending
        }
    }

    /// Waits at most this many milliseconds for the end and reaps; nil when it still runs.
    package func wait(deadlineMs: Int64) -> ExitStatus? {
        if let ending = reap() { return ending }
        return Readiness.wait(pidfd.number, withinMs: deadlineMs) ? reap() : nil
    }

    private static func spawn(
        _ plan: SpawnPlan,
        _ environment: [String: String],
        _ descriptors: [Int32: Int32],
        _ offline: inout st_spawn_offline
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

/// Calls with a NULL-terminated array of C strings that lives as long as the call.
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

/// How a process ended.
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

/// Children whose `SpawnedProcess` is gone: reaped when they have ended, so that none stays behind as a zombie.
///
/// This needs no thread: it looks whenever another child is started or forgotten.
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

/// How a child notices that its parent died: the read end of a pipe whose other end only the parent holds.
///
/// posix_spawn cannot set PDEATHSIG, and a parent that was killed cannot say goodbye. The kernel closes the pipe.
package enum Lifeline {
    package static let variable = "SCREENTIME_LIFELINE_FD"

    /// The descriptor given by the parent, or nil.
    ///
    /// It becomes readable (end of file) once the parent is gone. Afterwards it is closed on exec, so that a
    /// child of this process does not take it for its own.
    package static func descriptor(environment: [String: String]) -> Int32? {
        guard let number = environment[variable].flatMap(Int32.init), number > 2 else { return nil }
        return st_set_cloexec(number) == 0 ? number : nil
    }
}
