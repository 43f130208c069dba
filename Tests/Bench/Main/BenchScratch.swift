import Glibc
import STBus
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ

/// The directories and processes of one bench, which end with it.
final class BenchScratch {
    let directories: Directories
    /// The initial data of the services. `nil` if there is none.
    let aged: AgedHousehold?
    private let scratch: ScratchDirectory
    private var children: [SpawnedProcess] = []

    init(_ aged: AgedHousehold? = nil) throws {
        self.aged = aged
        scratch = try ScratchDirectory()
        directories = scratch.directories
        try Directories.prepare(directories.run)
        try Directories.prepare(directories.state)
        try aged?.copy(to: directories)
    }

    /// The options for a bench that has a system of its own.
    var systemOptions: TestSystemOptions {
        var options = TestSystemOptions(environment: ["SCREENTIME_LOG_LEVEL": "warning"])
        options.prepare = { [aged] in try aged?.copy(to: $0) }
        return options
    }

    /// Starts a program that is next to this one.
    @discardableResult
    func start(
        _ program: String,
        _ arguments: [String] = [],
        output: String? = nil,
        environment: [String: String] = [:]
    ) throws -> SpawnedProcess {
        guard let own = ProcFile.ownExecutable(), let folder = ProcFile.ownFolder() else {
            throw SystemError.last("readlink")
        }
        let path = program.isEmpty ? own : "\(folder)/\(program)"
        return try start(path: path, arguments, output: output, environment: environment)
    }

    /// Starts any program. `output` is the path of a file.
    @discardableResult
    func start(
        path: String,
        _ arguments: [String],
        output: String? = nil,
        environment extra: [String: String] = [:]
    ) throws -> SpawnedProcess {
        var environment = ProcessEnvironment.current()
        // Keep the screen of the person who measures out of it.
        environment["SCREENTIME_DESKTOP_AGENT_ADAPTER"] = "none"
        environment.merge(extra) { _, new in new }
        environment["SCREENTIME_RUN"] = directories.run
        environment["SCREENTIME_STATE"] = directories.state
        environment["SCREENTIME_CONFIG"] = directories.config
        environment["SCREENTIME_LOG_LEVEL"] = "warning"
        var file: Int32?
        if let output {
            let opened = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard opened >= 0 else { throw SystemError.last("open") }
            file = opened
        }
        defer { if let file { close(file) } }
        let child = try SpawnedProcess(
            SpawnPlan(
                executable: path,
                arguments: arguments,
                environment: environment,
                standardOutput: file,
                hasLifeline: true
            )
        )
        children.append(child)
        return child
    }

    /// Starts this program again, in another role.
    @discardableResult
    func role(_ arguments: [String]) throws -> SpawnedProcess { try start("", arguments) }

    /// Stops a process before the others. Does nothing if it has ended.
    func stop(_ child: SpawnedProcess) {
        _ = child.signal(SIGTERM)
        if child.wait(deadlineMs: 4_000) == nil {
            _ = child.signal(SIGKILL)
            _ = child.wait(deadlineMs: 1_000)
        }
        children.removeAll { $0.pid == child.pid }
    }

    func remove() {
        for child in children.reversed() { stop(child) }
        scratch.remove()
    }
}

/// A member whose usage is sent.
enum BenchMember {
    static func add(_ name: String, _ client: BusClient) async throws {
        _ = try await client.call(MemberAdd.self, Member(name: name, role: .child))
        let deadline = Stopwatch.milliseconds() + 20_000
        while true {
            let report = try await client.call(HealthReport.self, to: .activity, Empty())
            let cursor = report.cursors.first { $0.stream == StreamName.authorization.rawValue }
            if let cursor, cursor.sequence >= 2, cursor.state == "live" { return }
            guard Stopwatch.milliseconds() < deadline else {
                throw Problem("bench.failed", "No member was heard of.")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
