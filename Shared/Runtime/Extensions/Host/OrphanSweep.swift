import STContracts
import STPlatform

/// Ends processes that extensions leave behind: a child that left its extension's process group, and all extensions of
/// an earlier host that was killed.
final class OrphanSweep: @unchecked Sendable {
    // @unchecked: `live` and `rounds` are used on the loop's thread only.

    /// Upper bound on the scans. A grandchild becomes our child only after its parent has ended, so one scan may not suffice.
    private static let roundsMax = 20
    private static let roundInterval = Duration.milliseconds(5)

    private let thread: LoopThread
    private let scanner: LoopThread
    private let ownsAllChildren: Bool
    /// The processes that this host waits for, and their endpoints.
    private var live: [Int32: String] = [:]
    private var rounds = 0

    /// `scanner` reads /proc, which takes a millisecond or more if many processes run.
    init(_ thread: LoopThread, scanner: LoopThread, ownsAllChildren: Bool) {
        self.thread = thread
        self.scanner = scanner
        self.ownsAllChildren = ownsAllChildren
    }

    func processDidStart(_ pid: Int32, endpoint: String) { live[pid] = endpoint }

    /// Ends the processes that a reaped process has started and left behind.
    func processDidEnd(_ pid: Int32) {
        live[pid] = nil
        guard ownsAllChildren else { return }
        let isIdle = rounds == 0
        rounds = Self.roundsMax
        if isIdle { sweep() }
    }

    private func sweep() {
        scanner.post {
            let children = ProcessTable.children()
            self.thread.post { self.end(children) }
        }
    }

    /// Runs on the thread that starts processes, so none starts meanwhile, and every unknown child was left behind.
    private func end(_ children: [Int32]) {
        let endpoints = Set(live.values)
        let orphans = children.filter { pid in
            guard live[pid] == nil else { return false }
            // The child of a running extension ends with it, and not before.
            let host = ProcessTable.value(of: ExtensionEnvironment.host, in: pid)
            return host.map { !endpoints.contains($0) } ?? true
        }
        for pid in orphans { _ = ProcessTable.killAdopted(pid) }
        rounds = orphans.isEmpty ? 0 : rounds - 1
        if rounds > 0 { thread.after(milliseconds: Self.roundInterval.ms) { self.sweep() } }
    }

    /// Ends the extensions of a host that was killed before it could end them itself. Returns their number.
    ///
    /// This host holds the lock of its service, so a process with an endpoint in this folder is left over.
    static func endLeftovers(folder: String) -> Int {
        let pids = ProcessTable.processes(with: ExtensionEnvironment.host, prefix: "ipc://\(folder)/")
        return pids.filter { OtherProcess(pid: $0)?.signal(9) == true }.count
    }
}
