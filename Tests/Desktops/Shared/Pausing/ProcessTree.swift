import Glibc
import STPausing
import STPlatform
import STTestSupport

/// A small app without windows: a shell script and its processes. It is gone after the test.
final class ProcessTree: Sendable {
    static let mark = "ST_TEST_TREE"

    let process: SpawnedProcess
    private let name: String

    /// `before` is shell code that runs first, for example to move the shell into a cgroup. Begin `script` with `exec` if the app
    /// must be one process.
    init(
        _ script: String,
        before: String = "",
        program: String = "/bin/sh",
        environment: [String: String] = [:]
    ) throws {
        name = "\(getpid())-\(IdentifierGenerator().span())"
        var variables = environment
        variables["PATH"] = "/usr/sbin:/usr/bin:/sbin:/bin"
        variables[Self.mark] = name
        process = try SpawnedProcess(
            SpawnPlan(
                executable: program,
                arguments: ["-c", before + script],
                environment: variables,
                standardOutput: -1,
                standardError: -1,
                startsSession: true
            )
        )
    }

    /// Kills until none is left, because a killed process may just be starting another one.
    deinit {
        _ = comesTrue {
            // The whole group, because a process that forks constantly cannot be caught by its pid.
            process.signalGroup(SIGKILL)
            let left = pids
            for pid in left { OtherProcess(pid: pid)?.signal(SIGKILL) }
            _ = process.reap()
            return left.isEmpty
        }
    }

    var root: Int32 { process.pid }

    /// All processes that carry its mark, also those with other parents.
    var pids: [Int32] { ProcessTable.processes(with: Self.mark, prefix: name) }

    var entries: [ProcessEntry] { pids.compactMap(ProcessView.entry).filter { !$0.hasEnded } }

    /// True if all are stopped. A process that waits in the kernel for a stopped child counts too.
    var isAllStopped: Bool { !entries.isEmpty && entries.allSatisfy { $0.isStopped || $0.isWaiting } }

    var isNoneStopped: Bool { !entries.contains(where: \.isStopped) }

    /// Returns true once there are at least `count` processes.
    func has(_ count: Int) -> Bool { comesTrue { entries.count >= count } }
}
