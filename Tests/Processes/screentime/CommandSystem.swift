import Glibc
import STContracts
import STPlatform
import STTestSupport
import Synchronization

@testable import STCommandCore

/// A system with its own directories, run by the real command.
final class CommandSystem: Sendable {
    let scratch: ScratchDirectory
    let directories: Directories
    let environment: [String: String]
    private let binary: String
    private let counter = Mutex(0)

    /// `binary` may be a copy of the command next to other services.
    init(binary: String = BuiltTree.programs + "/screentime") throws {
        scratch = try ScratchDirectory()
        self.binary = binary
        directories = scratch.directories
        environment = [
            "PATH": scratch.file("bin") + ":/usr/bin:/bin", "HOME": scratch.path,
            "SCREENTIME_RUN": directories.run,
            "SCREENTIME_STATE": directories.state, "SCREENTIME_CONFIG": directories.config,
            "XDG_RUNTIME_DIR": scratch.file("runtime"), "TZ": "UTC",
            "SCREENTIME_DESKTOP_AGENT_ADAPTER": "none", "SCREENTIME_JOURNAL": "0",
        ]
    }

    /// Ends the background processes. The others end with their `RunningCommand`.
    deinit {
        guard let pid = InstanceLock.holder(path: lockPath), let process = OtherProcess(pid: pid) else {
            return
        }
        process.signal(SIGTERM)
        if !process.waitForEnd(withinMs: 10_000) { process.signal(SIGKILL) }
    }

    var lockPath: String { directories.run + "/supervisor.lock" }

    func start(_ arguments: String...) throws -> RunningCommand { try start(arguments) }

    private func start(_ arguments: [String]) throws -> RunningCommand {
        let number = counter.withLock { counter in
            counter += 1
            return counter
        }
        return try RunningCommand(
            binary,
            arguments,
            environment: environment,
            outputPath: scratch.file("output-\(number)")
        )
    }

    func run(_ arguments: String...) throws -> (status: ExitStatus?, output: String) { try run(arguments) }

    func run(_ arguments: [String]) throws -> (status: ExitStatus?, output: String) {
        let command = try start(arguments)
        let status = command.wait(withinMs: 60_000)
        return (status, command.output)
    }

    /// Runs `system up`, and returns once it is ready.
    func up(_ arguments: String...) throws -> RunningCommand {
        let command = try start(["system", "up"] + arguments)
        let isReady = comesTrue(within: .seconds(60)) {
            command.process.reap() != nil || command.output.contains(" is ready: ")
        }
        guard isReady, command.process.reap() == nil else {
            throw Problem("test.not_ready", verbatim: "not ready:\n\(command.output)")
        }
        return command
    }

    var file: SupervisorFile? { SupervisorFile.read(directories) }

    func pid(_ service: String) -> Int32? { file?.service(service)?.pid.map { Int32(clamping: $0) } }

    /// The process groups of all running services.
    var pids: [Int32] { file?.services.compactMap { $0.pid.map { Int32(clamping: $0) } } ?? [] }

    /// Returns true once none of these processes and of the groups that they lead is left.
    static func areGone(_ leaders: [Int32]) -> Bool {
        comesTrue { !leaders.contains(where: hasMembers) }
    }

    /// A process that has ended and was not reaped does not count, because the first process of some containers never reaps.
    private static func hasMembers(_ group: Int32) -> Bool {
        let processes = (try? DirectoryTree.names(in: "/proc")) ?? []
        return processes.contains { name in
            // `pid (name) state parent group …`. The name may contain anything.
            let text = Int32(name) == nil ? "" : ScratchDirectory.text("/proc/\(name)/stat")
            guard let end = text.lastIndex(of: ")") else { return false }
            let fields = text[text.index(after: end)...].split(separator: " ")
            return fields.count > 2 && fields[2] == String(group) && fields[0] != "Z" && fields[0] != "X"
        }
    }

    /// The services that still hold their lock and own their sockets.
    var owners: [String] {
        ServiceName.all.map(\.rawValue).filter {
            InstanceLock.holder(path: "\(directories.run)/\($0)/lock") != nil
        }
    }
}
