import Glibc
import STCPlatform

/// Finds processes in /proc of which this process has no descriptor.
package enum ProcessTable {
    /// The number of processes and threads of this account, without those that the kernel hides from it.
    package static var tasksOfAccount: Int32 {
        ProcFile.processes().reduce(0) { sum, pid in
            var info = stat()
            guard stat("/proc/\(pid)", &info) == 0, info.st_uid == getuid(),
                stat("/proc/\(pid)/task", &info) == 0
            else { return sum }
            // A directory has two links plus one for each subdirectory.
            return sum + Int32(clamping: info.st_nlink) - 2
        }
    }

    /// The children of this process, including adopted ones.
    ///
    /// Read from every process's entry, because not every kernel lists the children of a process.
    package static func children(of parent: Int32 = getpid()) -> [Int32] {
        ProcFile.processes().filter { ProcFile.parent(of: $0) == parent }
    }

    /// The processes of this account that were started with a variable whose value has this prefix.
    package static func processes(with variable: String, prefix: String) -> [Int32] {
        ProcFile.processes().filter { value(of: variable, in: $0)?.hasPrefix(prefix) == true }
    }

    /// The value of an environment variable with which a process was started. `nil` if it cannot be read.
    package static func value(of variable: String, in pid: Int32) -> String? {
        guard let environment = ProcFile.bytes("/proc/\(pid)/environ") else { return nil }
        let start = Array("\(variable)=".utf8)
        return environment.split(separator: 0).first { $0.starts(with: start) }
            .map { String(decoding: $0.dropFirst(start.count), as: UTF8.self) }
    }

    /// Makes processes whose parents have died children of this process, so that it can end them.
    package static func adoptOrphans() throws(Problem) {
        let result = st_adopt_orphans()
        guard result == 0 else { throw SystemError.make("prctl", number: -result) }
    }

    /// Kills a child that no `SpawnedProcess` owns. Returns true once it has ended and is reaped.
    package static func killAdopted(_ pid: Int32) -> Bool {
        var code: Int32 = 0
        var signaled: Int32 = 0
        // Reap first: a number that no longer belongs to a child must not be signalled.
        if st_reap(pid, &code, &signaled) != 0 { return true }
        kill(pid, SIGKILL)
        return st_reap(pid, &code, &signaled) != 0
    }
}

/// A process that is not a child of this one. Identified by a descriptor, because its number may be reused.
package final class OtherProcess: Sendable {
    package let pid: Int32
    private let pidfd: OwnedDescriptor

    /// Opens a process. Fails if no process has that number.
    ///
    /// The number may have been reused before this call. Check afterwards that it is the intended process.
    package init?(pid: Int32) {
        guard pid > 0 else { return nil }
        let number = st_pidfd_open(pid)
        guard number >= 0 else { return nil }
        self.pid = pid
        pidfd = OwnedDescriptor(number)
    }

    /// Sends a signal. Returns false if the process has ended or may not be signalled.
    @discardableResult
    package func signal(_ number: Int32) -> Bool { st_pidfd_signal(pidfd.number, number) == 0 }

    /// Waits for the end of the process. Returns false at the deadline.
    package func waitForEnd(withinMs: Int64) -> Bool { Readiness.wait(pidfd.number, withinMs: withinMs) }
}
