import Glibc
import STPausing
import STPlatform
import STTestSupport

/// A small app without windows: a shell script and all that it starts; gone when the test is over.
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

    /// Kills until none is left: a process that is killed may just be starting another one.
    deinit {
        _ = comesTrue {
            // The group at once: one that flees from process to process cannot be caught by its number.
            process.signalGroup(SIGKILL)
            let left = pids
            for pid in left { OtherProcess(pid: pid)?.signal(SIGKILL) }
            _ = process.reap()
            return left.isEmpty
        }
    }

    var root: Int32 { process.pid }

    /// All that still carry its mark, also under other parents.
    var pids: [Int32] { ProcessTable.started(with: Self.mark, prefix: name) }

    var entries: [ProcessEntry] { pids.compactMap(ProcessView.entry).filter { !$0.hasEnded } }

    /// One that waits in the kernel for a stopped child does nothing either.
    var isAllStopped: Bool { !entries.isEmpty && entries.allSatisfy { $0.isStopped || $0.isWaiting } }

    var isNoneStopped: Bool { !entries.contains(where: \.isStopped) }

    /// Whether so many are there.
    func has(_ count: Int) -> Bool { comesTrue { entries.count >= count } }
}
