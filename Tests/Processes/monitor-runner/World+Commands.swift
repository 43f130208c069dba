import Glibc
import STPlatform
import STTestKit
import STTestSupport

extension MonitorWorld {
    /// What `screentime` prints.
    func command(_ line: [String]) throws -> String {
        let output = system.scratch.file("output-\(Identifier.make(wallMs: Stopwatch.bootMilliseconds()))")
        let number = open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError.last("open") }
        let file = OwnedDescriptor(number)
        let places = [
            "SCREENTIME_RUN": system.directories.run, "SCREENTIME_STATE": system.directories.state,
            "SCREENTIME_CONFIG": system.directories.config,
        ]
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: try BuiltTree.program("screentime"),
                arguments: line,
                environment: ServicePrograms.environment.merging(places) { $1 },
                standardOutput: file.number,
                standardError: file.number
            )
        )
        let status = process.wait(deadlineMs: 30_000)
        let text = ScratchDirectory.text(output)
        guard status == .exited(0) else {
            process.signalGroup(SIGKILL)
            throw NotYet("\(line) \(String(describing: status)): \(text)")
        }
        return text
    }

    /// Where the endpoints of extensions are, as their environment has it.
    var endpoints: String { "ipc://\(system.directories.run)/extensions/" }

    /// The letter that /proc gives, such as T for one that is stopped.
    func state(of pid: Int32) -> String {
        let stat = ScratchDirectory.text("/proc/\(pid)/stat")
        return stat.split(separator: ")").last.map { String($0.dropFirst().prefix(1)) } ?? ""
    }
}
