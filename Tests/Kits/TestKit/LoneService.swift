import Glibc
package import STContracts
package import STPlatform
import STTestSupport

/// One service without a supervisor, for failing starts, for wrappers, and for other accounts.
package final class LoneService: Sendable {
    package let service: ServiceName
    package let process: SpawnedProcess
    private let directories: Directories
    private let logPath: String

    /// `wrapper` is a program with arguments before the service's own path, such as `prlimit`. `executable` is a copy for another
    /// account that cannot read the build folder.
    package init(
        _ service: ServiceName,
        _ directories: Directories,
        logPath: String,
        wrapper: [String] = [],
        executable: String? = nil,
        environment: [String: String] = [:]
    ) throws {
        self.service = service
        self.directories = directories
        self.logPath = logPath
        let number = open(logPath, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError.last("open") }
        let output = OwnedDescriptor(number)
        let words = wrapper + [try executable ?? ServicePrograms.path(service)]
        let places = [
            "SCREENTIME_RUN": directories.run, "SCREENTIME_STATE": directories.state,
            "SCREENTIME_CONFIG": directories.config,
        ]
        process = try SpawnedProcess(
            SpawnPlan(
                executable: words[0],
                arguments: Array(words.dropFirst()),
                environment: ServicePrograms.environment.merging(places) { $1 }.merging(environment) { $1 },
                standardOutput: output.number,
                standardError: output.number,
                hasLifeline: true
            )
        )
    }

    deinit {
        process.signalGroup(SIGKILL)
        _ = process.wait(deadlineMs: 5000)
    }

    /// The output so far.
    package var log: String {
        ScratchDirectory.text(logPath)
    }

    package func waitForExit(withinMs: Int64 = 20_000) throws -> ExitStatus {
        guard let status = process.wait(deadlineMs: withinMs) else {
            throw NotYet("\(service) runs on; it wrote:\n\(log)")
        }
        return status
    }

    /// Returns a peer of its rpc socket once it replies.
    package func waitUntilItAnswers(within limit: Duration = .seconds(30)) throws -> RawPeer {
        let path = try directories.endpoint(service: service.rawValue, .rpc)
        return try eventuallyBlocking(within: limit, "\(service) answers") {
            if let status = process.reap() { throw NotYet("it \(status); it wrote:\n\(log)") }
            let peer = try RawPeer(.dealer, path, queuesWithoutPeer: false)
            _ = try peer.ask(HealthPing.name, withinMs: 2000)
            return peer
        }
    }

    /// Sends SIGTERM and returns the exit status.
    package func stop(withinMs: Int64 = 10_000) throws -> ExitStatus {
        process.signal(SIGTERM)
        return try waitForExit(withinMs: withinMs)
    }
}
