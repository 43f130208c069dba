import Glibc
package import STPlatform

/// The status and the output of a short run of another program.
package struct ProgramRun: Sendable {
    package let status: ExitStatus
    package let output: String

    private static let outputBytesMax = 256 * 1024

    /// Returns the first program of that name in `PATH`, or `nil`. An absolute path is returned unchanged.
    package static func path(of name: String, environment: [String: String]) -> String? {
        if name.hasPrefix("/") { return name }
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").filter {
            $0.hasPrefix("/")
        }
        return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// Runs the program and waits until it ends, at most `timeout`. Blocks the calling thread.
    ///
    /// With `file`, standard output goes there, and `output` contains standard error only. A tethered program ends with the
    /// calling thread. With `bounds` it is always tethered.
    package static func run(
        _ program: String,
        _ arguments: [String],
        environment: [String: String],
        output file: OwnedDescriptor? = nil,
        bounds: SpawnBounds? = nil,
        isTethered: Bool = false,
        startsSession: Bool = false,
        timeout: Duration
    ) throws(Problem) -> ProgramRun {
        var plan = SpawnPlan(executable: program, arguments: arguments, environment: environment)
        plan.startsSession = startsSession
        plan.isTethered = isTethered || bounds != nil
        plan.bounds = bounds
        let (process, reader) = try start(plan, file)
        let deadline = Stopwatch.milliseconds() + timeout.ms
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while Readiness.wait(reader.number, withinMs: deadline - Stopwatch.milliseconds()) {
            let count = read(reader.number, &part, part.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            if bytes.count < outputBytesMax { bytes += part[..<count] }
        }
        guard let status = process.wait(deadlineMs: max(0, deadline - Stopwatch.milliseconds())) else {
            process.signalGroup(SIGKILL)
            _ = process.wait(deadlineMs: 1000)
            throw Problem(
                "program.too_slow",
                """
                \(program, "program") did not finish within \(MessageValue.duration(ms: timeout.ms), "time") \
                and was stopped. Try again.
                """,
                retryable: true
            )
        }
        return ProgramRun(status: status, output: String(decoding: bytes, as: UTF8.self))
    }

    private static func start(_ plan: SpawnPlan, _ file: OwnedDescriptor?) throws(Problem)
        -> (SpawnedProcess, OwnedDescriptor)
    {
        let pipe = try DescriptorPipe()
        var plan = plan
        plan.standardOutput = file?.number ?? pipe.writeEnd.number
        plan.standardError = pipe.writeEnd.number
        return (try SpawnedProcess(plan), pipe.readEnd)
    }
}

extension ProgramRun {
    private static let openingTimeout: Duration = .seconds(2)

    /// Opens a file or an address in the browser. Throws if xdg-open fails within 2 s.
    ///
    /// A browser that xdg-open starts continues as its child, so this does not wait longer.
    package static func openInBrowser(_ page: String, environment: [String: String], help: String)
        throws(Problem)
    {
        guard let program = path(of: "xdg-open", environment: environment) else {
            throw Problem(
                "browser.no_opener",
                """
                This computer does not have xdg-open, which opens pages in your browser. Install xdg-utils, \
                or open the page yourself.
                """,
                help: help
            )
        }
        let output = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard output >= 0 else { throw SystemError.last("open /dev/null") }
        let silent = OwnedDescriptor(output)
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: program,
                arguments: [page],
                environment: environment,
                standardOutput: silent.number,
                standardError: silent.number,
                startsSession: true
            )
        )
        if let status = process.wait(deadlineMs: openingTimeout.ms), !status.isSuccess {
            throw Problem(
                "browser.not_opened",
                """
                xdg-open could not open the page in a browser (\(status, "status")). Open the page yourself.
                """,
                help: help
            )
        }
    }
}

/// Runs blocking work on its own thread, because Swift's concurrency has few threads.
package enum OwnThread {
    package static func run<Result: Sendable>(
        _ name: String,
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let thread = try LoopThread(name: name)
        defer { thread.stop() }
        // A new thread does not inherit the values of the waiting task.
        let language = Speech.language
        return try await withCheckedThrowingContinuation { continuation in
            thread.post {
                continuation.resume(
                    with: Swift.Result { try Speech.$language.withValue(language) { try body() } }
                )
            }
        }
    }
}

/// File operations of the command that `DirectoryTree` does not have.
package enum FileTree {
    package static func exists(_ path: String) -> Bool {
        var about = stat()
        return lstat(path, &about) == 0
    }

    /// Returns the absolute path. A relative path starts in the current directory.
    package static func absolute(_ path: String) throws(Problem) -> String {
        if path.hasPrefix("/") { return path }
        guard let folder = getcwd(nil, 0) else { throw SystemError.last("getcwd") }
        defer { free(folder) }
        let rest = path.hasPrefix("./") ? path.dropFirst(2) : path[...]
        return String(cString: folder) + "/" + rest
    }

    /// Returns the folder that contains a file.
    package static func parent(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    package static func rename(_ path: String, to other: String) throws(Problem) {
        guard Glibc.rename(path, other) == 0 else { throw SystemError.last("rename") }
    }

    /// Creates a directory with its parents. All users can read it.
    package static func makeFolder(_ path: String) throws(Problem) {
        var made = ""
        for name in path.split(separator: "/") {
            made += "/" + name
            guard mkdir(made, 0o755) == 0 || errno == EEXIST || errno == EROFS else {
                throw Problem(
                    "directory.failed",
                    """
                    The folder \(made, "made") cannot be created: \(SystemError.text(errno), "reason"). \
                    Correct that and try again.
                    """
                )
            }
        }
    }
}
