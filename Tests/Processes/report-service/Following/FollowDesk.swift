import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ

/// A person who runs `screentime report --follow`, and another who uses the computer meanwhile.
struct FollowDesk {
    let system: TestSystem
    let member: String
    private(set) var sequence: Int64 = 0

    init(_ system: TestSystem) {
        self.system = system
        member = AccountName.current
    }

    /// Starts the command with its output in a file.
    func start(_ line: [String]) throws -> (process: SpawnedProcess, output: String) {
        let output = system.scratch.file("output-\(line.count)-\(Stopwatch.nanoseconds())")
        let number = open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError.last("open") }
        let file = OwnedDescriptor(number)
        let process = try system.command(line, output: file, environment: ["TZ": "UTC"])
        system.atEnd { process.signalGroup(SIGKILL) }
        return (process, output)
    }

    /// Changes the foreground app.
    mutating func use(_ app: String?) async throws {
        sequence += 1
        let reading = SystemTimeSource().now()
        let seen = Observation(
            sequence: sequence,
            bootId: "boot",
            at: reading,
            zone: "UTC",
            member: member,
            presence: app == nil ? .idle : .active,
            app: app
        )
        _ = try await system.client.call(
            UsageObserve.self,
            .init(agent: "agent", run: "run", observations: [seen])
        )
    }

    static func lines(_ path: String) -> [Substring] { ScratchDirectory.text(path).split(separator: "\n") }
}
