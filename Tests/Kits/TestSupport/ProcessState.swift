import Glibc
import STPlatform

/// The state of a process, as `ps` shows it: "R" runs, "S" sleeps, "T" is stopped, "Z" has ended.
package enum ProcessState {
    package static func of(_ pid: Int32) -> Character? { read("/proc/\(pid)/stat") }

    /// Sends SIGSTOP, and returns once no thread of the process runs.
    ///
    /// The kernel gives the signal to one thread. On a busy machine, the others run until that thread gets its turn.
    package static func stop(_ pid: Int32) throws {
        guard kill(pid, SIGSTOP) == 0 else { throw NotYet("process \(pid) has ended") }
        try eventuallyBlocking("process \(pid) is stopped") {
            let running = try DirectoryTree.names(in: "/proc/\(pid)/task").filter { thread in
                read("/proc/\(pid)/task/\(thread)/stat").map { $0 != "T" } ?? false
            }
            guard running.isEmpty else { throw NotYet("threads \(running) are not") }
        }
    }

    /// Stops a process for `ms` and then until `body` returns, and returns the interval. Blocks the thread for `ms`
    /// instead of suspending the task. Other tests may keep all task threads busy for longer than a watchdog's timeout.
    package static func stopping(_ pid: Int32, ms: Int64, _ body: () async throws -> Void = {})
        async throws -> (fromMs: Int64, toMs: Int64)
    {
        try stop(pid)
        defer { kill(pid, SIGCONT) }
        let fromMs = Stopwatch.bootMilliseconds()
        poll(nil, 0, Int32(ms))
        try await body()
        return (fromMs, Stopwatch.bootMilliseconds())
    }

    private static func read(_ path: String) -> Character? {
        let text = ScratchDirectory.text(path)
        return text.lastIndex(of: ")").flatMap { text[$0...].dropFirst(2).first }
    }
}
