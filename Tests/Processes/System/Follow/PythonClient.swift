import Glibc
import STPlatform
import STTestKit
import STTestSupport

/// Runs the clients under scripts/clients, as anybody would.
struct PythonClient {
    private static let python = "/usr/bin/python3"
    private let scratch: ScratchDirectory
    private let run: String

    init(_ system: TestSystem) {
        scratch = system.scratch
        run = system.directories.run
    }

    /// Whether Debian's python3-zmq is there.
    static let isAvailable: Bool = {
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        let plan = SpawnPlan(
            executable: python,
            arguments: ["-c", "import zmq"],
            standardOutput: null,
            standardError: null
        )
        defer { close(null) }
        return (try? SpawnedProcess(plan))?.wait(deadlineMs: 20_000) == .exited(0)
    }()

    /// Starts a client whose output goes to a file.
    func start(_ script: String, _ arguments: [String], output: String) throws -> SpawnedProcess {
        let number = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError.last("open") }
        let file = OwnedDescriptor(number)
        return try SpawnedProcess(
            SpawnPlan(
                executable: Self.python,
                arguments: ["-B", BuiltTree.source("scripts/clients/\(script)")] + arguments,
                environment: ServicePrograms.environment.merging(["SCREENTIME_RUN": run]) { $1 },
                standardOutput: file.number,
                standardError: file.number
            )
        )
    }

    /// Runs request.py to its end.
    func request(_ arguments: String...) throws -> (exit: ExitStatus?, output: String) {
        let output = scratch.file("request.out")
        let process = try start("request.py", arguments, output: output)
        defer { process.signalGroup(SIGKILL) }
        return (process.wait(deadlineMs: 30_000), ScratchDirectory.text(output))
    }
}
