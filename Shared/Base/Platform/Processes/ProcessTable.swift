import Glibc
import STCPlatform

/// What /proc says about processes that nobody holds a descriptor of.
package enum ProcessTable {
    private static let fileBytesMax = 256 * 1024

    /// This process's children, its own and those it adopted.
    ///
    /// Read from every process's entry, because the list of a process's children is not in every kernel.
    package static func children(of parent: Int32 = getpid()) -> [Int32] { all { $0 == parent } }

    /// The processes for whose parent `matches` holds.
    private static func all(_ matches: (Int32) -> Bool) -> [Int32] {
        numbers().filter { pid in
            guard let stat = contents("/proc/\(pid)/stat", limit: 4096),
                let end = stat.lastIndex(of: UInt8(ascii: ")"))
            else { return false }
            // The name may hold spaces and brackets; behind its last bracket come the state and the parent.
            let fields = stat[(end + 1)...].split(separator: UInt8(ascii: " "), maxSplits: 2)
            return fields.count > 1 && Int32(String(decoding: fields[1], as: UTF8.self)).map(matches) == true
        }
    }

    /// The processes of this account that were started with a variable whose value begins so.
    package static func started(with variable: String, prefix: String) -> [Int32] {
        numbers().filter { value(of: variable, in: $0)?.hasPrefix(prefix) == true }
    }

    /// What a process was started with, or nil when that cannot be read.
    package static func value(of variable: String, in pid: Int32) -> String? {
        guard let environment = contents("/proc/\(pid)/environ", limit: fileBytesMax) else { return nil }
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

    private static func numbers() -> [Int32] {
        ((try? DirectoryTree.names(in: "/proc")) ?? []).compactMap { Int32($0) }
    }

    private static func contents(_ path: String, limit: Int) -> [UInt8]? {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let owned = OwnedDescriptor(number)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count < limit {
            let count = read(owned.number, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}

/// A process that is not our child, held by a descriptor rather than by a number that may be given away again.
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

    /// Whether it ended within so many milliseconds.
    package func waitForEnd(withinMs: Int64) -> Bool { Readiness.wait(pidfd.number, withinMs: withinMs) }
}
