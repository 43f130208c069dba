import Glibc
import STPlatform

/// Stops and continues processes one by one.
enum SignalStopper {
    /// Upper bound on rounds with new processes. A family that still grows is growing faster than it can be stopped.
    private static let newProcessRoundsMax = 100
    /// Time limit for stopping a family. It is long, because a busy machine is no reason to let an app run.
    private static let timeout = Duration.seconds(10)
    /// Time limit for a process to stop after SIGSTOP. The process may be in the middle of a read from a slow disk.
    private static let settleTime = Duration.seconds(1)

    private static let stableChecksMin = 3

    /// Stops a family, parents first, until a snapshot shows that none of its processes runs.
    ///
    /// A process that forks while it is being stopped leaves a child without the signal, so several rounds can be necessary.
    /// `family` takes a new snapshot. `write` records the next processes in the journal before they are stopped. All stopped
    /// processes are in `held`, also if it throws. The caller must then continue them.
    static func stop(
        held: inout [ProcessKey],
        family: () -> ProcessFamily,
        write: ([ProcessKey]) throws(Problem) -> Void
    ) throws(Problem) {
        var known = Set(held)
        /// Processes that another program stopped, and will also continue.
        var foreign: Set<ProcessKey> = []
        let startMs = Stopwatch.milliseconds()
        var freshMs = startMs
        var stillLooks = 0
        var freshRounds = 0
        while freshRounds < newProcessRoundsMax {
            let now = family()
            guard !now.isTooLarge else { throw tooMany }
            var fresh: [ProcessKey] = []
            var isMoving = false
            // A process in the kernel may be in the middle of a fork. A process that has ended since may have left a child that
            // this snapshot missed.
            var isDoubtful = known.contains { now.members[$0.pid]?.key != $0 }
            for entry in now.parentsFirst where !foreign.contains(entry.key) {
                if known.contains(entry.key) {
                    isMoving = isMoving || !entry.isStopped && !entry.isWaiting
                    isDoubtful = isDoubtful || entry.isWaiting
                } else if entry.isStopped {
                    foreign.insert(entry.key)
                } else {
                    fresh.append(entry.key)
                }
            }
            let nowMs = Stopwatch.milliseconds()
            if fresh.isEmpty {
                stillLooks += 1
                let isCertain = !isMoving && (!isDoubtful || stillLooks > stableChecksMin)
                if isCertain || nowMs - freshMs > settleTime.ms { return }
            }
            guard nowMs - startMs < timeout.ms else { throw tooMany }
            if fresh.isEmpty {
                _ = poll(nil, 0, 1)
            } else {
                freshRounds += 1
                try write(fresh)
                // All count as stopped from here on, because continuing a process that was not stopped is harmless.
                held += fresh
                known.formUnion(fresh)
                for key in fresh { signal(key, SIGSTOP) }
                stillLooks = 0
                freshMs = Stopwatch.milliseconds()
            }
        }
        throw tooMany
    }

    /// Continues processes, children first. So a running parent never finds a stopped child, which a shell would report.
    ///
    /// Also signals processes that run already, because this cancels a pending stop. Returns the number of signalled processes.
    @discardableResult
    static func release(_ keys: [ProcessKey]) -> Int {
        keys.reversed().reduce(0) { $0 + (signal($1, SIGCONT) ? 1 : 0) }
    }

    /// Sends a signal by descriptor, only if the ID still belongs to this process.
    @discardableResult
    static func signal(_ key: ProcessKey, _ number: Int32) -> Bool {
        guard let process = OtherProcess(pid: key.pid), key.exists else { return false }
        return process.signal(number)
    }

    /// Returns true if the ID still belongs to this process and the process is stopped.
    static func isStopped(_ key: ProcessKey) -> Bool {
        ProcessView.entry(key.pid).map { $0.key == key && $0.isStopped } ?? false
    }

    private static let tooMany = Problem(
        "pause.too_many",
        "It starts new processes faster than Screen Time can pause them.",
        retryable: true
    )
}
