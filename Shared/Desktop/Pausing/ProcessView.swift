import Glibc
import STPlatform

/// One look at all processes: who started whom.
///
/// One small file per process is read; what else there is to know of one (its program, its account, its cgroup) is
/// asked for one by one, and only of an app's own.
package struct ProcessView: Sendable {
    /// A machine with more processes has other worries.
    package static let processesMax = 65_536
    private static let statBytesMax = 4_096

    package private(set) var entries: [Int32: ProcessEntry] = [:]
    private var childrenOf: [Int32: [Int32]] = [:]

    package init(_ entries: [ProcessEntry]) {
        for entry in entries.prefix(Self.processesMax) {
            self.entries[entry.pid] = entry
            childrenOf[entry.parent, default: []].append(entry.pid)
        }
    }

    /// As things are now.
    package static func now() -> ProcessView {
        let names = (try? DirectoryTree.names(in: "/proc")) ?? []
        return ProcessView(names.lazy.compactMap { Int32($0) }.prefix(processesMax).compactMap(entry))
    }

    package static func entry(_ pid: Int32) -> ProcessEntry? {
        guard pid > 0, let bytes = ProcFile.bytes("/proc/\(pid)/stat", limit: statBytesMax) else {
            return nil
        }
        return ProcessEntry(stat: bytes)
    }

    package subscript(_ pid: Int32) -> ProcessEntry? { entries[pid] }

    package func children(of pid: Int32) -> [ProcessEntry] {
        (childrenOf[pid] ?? []).compactMap { entries[$0] }
    }

    /// Parents and theirs, up to the first process; not itself.
    package func ancestors(of pid: Int32) -> Set<Int32> {
        var found: Set<Int32> = []
        var next = entries[pid]?.parent ?? 0
        // A circle cannot be in one look of the kernel's, but one look is many here.
        while next > 0, found.insert(next).inserted { next = entries[next]?.parent ?? 0 }
        return found
    }

    /// How many steps it is from the first process: whoever started another has fewer.
    package func depth(of pid: Int32) -> Int { ancestors(of: pid).count }
}
