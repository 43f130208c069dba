import Glibc
import STCPlatform

/// Finds processes in /proc, for those that this process holds no descriptor of.
package enum ProcessTable {
    /// The processes and threads of this account, without those that the kernel hides from it.
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

    /// This process's children, its own and those it adopted.
    ///
    /// Read from every process's entry, because the list of a process's children is not in every kernel.
    package static func children(of parent: Int32 = getpid()) -> [Int32] {
        ProcFile.processes().filter { ProcFile.parent(of: $0) == parent }
    }

    /// The processes of this account that were started with a variable whose value has this prefix.
    package static func started(with variable: String, prefix: String) -> [Int32] {
        ProcFile.processes().filter { value(of: variable, in: $0)?.hasPrefix(prefix) == true }
    }

    /// The value of an environment variable that a process was started with, or nil when that cannot be read.
    package static func value(of variable: String, in pid: Int32) -> String? {
        guard let environment = ProcFile.bytes("/proc/\(pid)/environ") else { return nil }
        let start = Array("\(variable)=".utf8)
        return environment.split(separator: 0).first { $0.starts(with: start) }
            .map { String(decoding: $0.dropFirst(start.count), as: UTF8.self) }
    }

    /// Makes processes whose parents have died children of this one, so that it can end them.
    package static func adoptOrphans() throws(Problem) {
        let result = st_adopt_orphans()
        guard result == 0 else { throw SystemError.make("prctl", -result) }
    }

    /// Kills a child that no `SpawnedProcess` holds; true once it is gone and reaped.
    package static func killAdopted(_ pid: Int32) -> Bool {
        var code: Int32 = 0
        var signaled: Int32 = 0
        // Reaped first: a number that is not our child's any more must not be signalled.
        if st_reap(pid, &code, &signaled) != 0 { return true }
        kill(pid, SIGKILL)
        return st_reap(pid, &code, &signaled) != 0
    }
}

/// A process that is not our child, held by a descriptor, because its number may be given to another process.
package final class OtherProcess: Sendable {
    package let pid: Int32
    private let pidfd: OwnedDescriptor

    /// Nil when no process has that number.
    ///
    /// The number may have changed hands before this call, so check afterwards that it is still the one that is meant.
    package init?(pid: Int32) {
        guard pid > 0 else { return nil }
        let number = st_pidfd_open(pid)
        guard number >= 0 else { return nil }
        self.pid = pid
        pidfd = OwnedDescriptor(number)
    }

    /// Sends a signal; false when the process has ended or may not be signalled.
    @discardableResult
    package func signal(_ number: Int32) -> Bool { st_pidfd_signal(pidfd.number, number) == 0 }

    /// Whether it ended within this many milliseconds.
    package func waitForEnd(withinMs: Int64) -> Bool { Readiness.wait(pidfd.number, withinMs: withinMs) }
}
