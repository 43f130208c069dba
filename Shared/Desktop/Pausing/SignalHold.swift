import Glibc
import STPlatform

/// Stopping processes one by one, and letting them go on.
enum SignalHold {
    /// A family that is still growing after these is growing faster than it can be stopped.
    private static let freshRoundsMax = 100
    /// Generous, because a machine that is busy elsewhere is no reason to let an app go on.
    private static let withinMs: Int64 = 10_000
    /// How long a process may take to stand after SIGSTOP: it may be in the middle of a read from a slow disk.
    private static let standMs: Int64 = 1_000

    private static let stillLooksMin = 3

    /// Stops a family, parents first, until a look at all processes finds none of it that runs.
    ///
    /// A process that forks while it is being stopped leaves a child behind that got no signal yet, hence the rounds.
    /// `family` looks anew; `write` puts the next ones into the journal before they are touched. Returns those that it
    /// has stopped; when it throws, those already stopped are in `held`, for the caller to let go of.
    static func stop(
        held: inout [ProcessKey],
        family: () -> ProcessFamily,
        write: ([ProcessKey]) throws(Problem) -> Void
    ) throws(Problem) {
        var known = Set(held)
        /// Stopped by another program, which will let go of them as well.
        var foreign: Set<ProcessKey> = []
        let startMs = Stopwatch.milliseconds()
        var freshMs = startMs
        var stillLooks = 0
        var freshRounds = 0
        while freshRounds < freshRoundsMax {
            let now = family()
            guard !now.isTooLarge else { throw tooMany }
            var fresh: [ProcessKey] = []
            var isMoving = false
            // One in the kernel may be half way through a fork; one that has ended since may have left a child that this
            // look was too early for.
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
                let isCertain = !isMoving && (!isDoubtful || stillLooks > stillLooksMin)
                if isCertain || nowMs - freshMs > standMs { return }
            }
            guard nowMs - startMs < withinMs else { throw tooMany }
            if fresh.isEmpty {
                _ = poll(nil, 0, 1)
            } else {
                freshRounds += 1
                try write(fresh)
                // All count as held from here on: letting go of one that was not reached does no harm.
                held += fresh
                known.formUnion(fresh)
                for key in fresh { signal(key, SIGSTOP) }
                stillLooks = 0
                freshMs = Stopwatch.milliseconds()
            }
        }
        throw tooMany
    }

    /// Lets them go on, children first: a parent that runs never finds a child stopped, which a shell would report.
    ///
    /// Also those that run already: a stop that is still on its way is taken back by this as well. Says how many it
    /// reached.
    @discardableResult
    static func release(_ keys: [ProcessKey]) -> Int {
        keys.reversed().reduce(0) { $0 + (signal($1, SIGCONT) ? 1 : 0) }
    }

    /// By descriptor, and only when the number still belongs to that process.
    @discardableResult
    static func signal(_ key: ProcessKey, _ number: Int32) -> Bool {
        guard let process = OtherProcess(pid: key.pid), key.isThere else { return false }
        return process.signal(number)
    }

    /// Whether it is still the process that was meant, and stands.
    static func isStopped(_ key: ProcessKey) -> Bool {
        ProcessView.entry(key.pid).map { $0.key == key && $0.isStopped } ?? false
    }

    private static let tooMany = Problem(
        "pause.too_many",
        "It starts new processes faster than Screen Time can pause them.",
        retryable: true
    )
}
