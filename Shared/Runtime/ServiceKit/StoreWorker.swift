import Glibc
import STEngine
import STPlatform
import STStore
import Synchronization

/// The database's thread.
///
/// Jobs that arrive during a commit share the next one.
final class StoreWorker<State: Sendable>: @unchecked Sendable {
    // @unchecked: `engine` is used before the first job is submitted, and on the worker's thread afterwards, like `isRestSet`. The
    // queue has its own lock.
    private let engine: StoreEngine<State>
    private let thread: LoopThread
    private let queue = Mutex<[StoreJob]>([])
    private let deliver: @Sendable (StoreBatch<State>) -> Void
    private let onDamage: @Sendable (Database.Harm, Result<Void, Problem>) -> Never
    /// Wakes the thread if something happens to the files, even while nothing is written.
    private var watch: PathWatch?

    /// Upper bound on the jobs in one commit.
    private static var batchMax: Int { 100 }
    /// The delay before the worker rests, because one step mostly leads to the next.
    private static var checkpointDelay: Duration { .milliseconds(200) }
    /// Used on the worker's own thread only.
    private var isCheckpointScheduled = false

    /// `harmed` is called if another program has removed, replaced or cut the file, with the result of saving it.
    init(
        engine: StoreEngine<State>,
        harmed: @escaping @Sendable (Database.Harm, Result<Void, Problem>) -> Never,
        deliver: @escaping @Sendable (StoreBatch<State>) -> Void
    ) throws {
        self.engine = engine
        self.deliver = deliver
        self.onDamage = harmed
        thread = try LoopThread(name: "store")
        let path = engine.path
        thread.post { [self] in
            watch = PathWatch([path, path + "-wal"], on: thread.currentWaiter) { self.checkForDamage() }
            checkForDamage()
        }
    }

    /// Calls `harmed` if the file is gone or damaged, so that no change in such a file is acknowledged.
    private func checkForDamage() {
        guard let harm = engine.damage else { return }
        guard harm == .replaced else {
            onDamage(
                harm,
                .failure(Problem("store.cut", "The truncated or damaged part of the database is lost."))
            )
        }
        var saved = save()
        // The program that removes the folder may still be running.
        for _ in 0..<20 {
            if case .success = saved { break }
            watch?.wait(withinMs: 50)
            saved = save()
        }
        onDamage(harm, saved)
    }

    private func save() -> Result<Void, Problem> { Result { try engine.save() }.mapError { Problem($0) } }

    func submit(_ job: StoreJob) {
        let isFirst = queue.withLock { queue in
            queue.append(job)
            return queue.count == 1
        }
        if isFirst { thread.post { self.processQueue() } }
    }

    private func processQueue() {
        while true {
            let jobs = queue.withLock { Array($0.prefix(Self.batchMax)) }
            if jobs.isEmpty { return }
            let batch = engine.run(jobs)
            checkForDamage()
            deliver(batch)
            // Removed only now, so that `submit` posts no second turn during this one.
            let isEmpty = queue.withLock { queue in
                queue.removeFirst(jobs.count)
                return queue.isEmpty
            }
            if isEmpty {
                if engine.needsCheckpoint { scheduleCheckpoint() }
                return
            }
        }
    }

    private func scheduleCheckpoint() {
        guard !isCheckpointScheduled else { return }
        isCheckpointScheduled = true
        thread.after(milliseconds: Self.checkpointDelay.ms) { [self] in
            isCheckpointScheduled = false
            if queue.withLock({ $0.isEmpty }) { engine.checkpoint() } else { scheduleCheckpoint() }
        }
    }

    /// Ends the thread, then closes the database. Jobs that were submitted before are done first.
    func stop() throws {
        thread.stop()
        thread.join()
        watch = nil
        try engine.close()
    }
}
