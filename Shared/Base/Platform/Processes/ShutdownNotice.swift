import Glibc
import STCPlatform
import Synchronization

/// Reports that this process was stopped and continues: by a signal, or because its cgroup was frozen.
///
/// The kernel queues both notices, so the process can read them before any other event of that time.
package final class ShutdownNotice: Sendable {
    private let signals: SignalDescriptor
    private let cgroup: OwnedDescriptor?
    private let hasEnded = Atomic(false)

    /// Call this before other threads start, as for `SignalDescriptor`.
    package init() throws(Problem) {
        signals = try SignalDescriptor([SIGCONT])
        cgroup = Self.watchCgroup()
    }

    /// Readable when `take` has something to report.
    package var descriptors: [Int32] { [signals.descriptor] + (cgroup.map { [$0.number] } ?? []) }

    /// Call this when SIGTERM was received.
    package func markEnded() { hasEnded.store(true, ordering: .relaxed) }

    /// True if the process is about to end. systemd sends SIGCONT after SIGTERM to every process, even to one that was not stopped.
    package var isEnding: Bool {
        var pending = sigset_t()
        return hasEnded.load(ordering: .relaxed)
            || sigpending(&pending) == 0 && sigismember(&pending, SIGTERM) == 1
    }

    /// Returns true if the process was stopped since the last call.
    package func consume() -> Bool {
        var wasStopped = false
        while signals.next() != nil { wasStopped = true }
        guard let cgroup else { return wasStopped }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while read(cgroup.number, &buffer, buffer.count) > 0 { wasStopped = true }
        return wasStopped
    }

    /// Watches cgroup.events, which the kernel modifies when the cgroup or an ancestor is frozen or thawed.
    private static func watchCgroup() -> OwnedDescriptor? {
        guard let folder = CgroupTree.own else { return nil }
        let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard number >= 0 else { return nil }
        let descriptor = OwnedDescriptor.inotify(number)
        let path = "\(folder)/cgroup.events"
        return inotify_add_watch(number, path, UInt32(IN_MODIFY)) >= 0 ? descriptor : nil
    }
}
