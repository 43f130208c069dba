import Glibc
import STEngine
import STPlatform
import STStore
import Synchronization

/// The database's thread.
///
/// Jobs that come while a commit is under way share the next one.
final class StoreWorker<State: Sendable>: @unchecked Sendable {
    // @unchecked: `engine` is touched before the first job is submitted, and on the worker's thread afterwards, like
    // `isRestSet`; the queue has its own lock.
    private let engine: StoreEngine<State>
    private let thread: LoopThread
    private let queue = Mutex<[StoreJob]>([])
    private let deliver: @Sendable (StoreBatch<State>) -> Void
    private let harmed: @Sendable (Database.Harm, Result<Void, Problem>) -> Never
    /// Wakes the thread when something happens to the files, also while nothing is written. -1: the kernel has no more.
    private let watch = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))

    /// As many jobs as one commit may hold.
    private static var batchMax: Int { 100 }
    /// One step mostly leads to the next, so the worker does not rest as soon as nothing waits.
    private static var restMs: Int64 { 200 }
    /// Touched on the worker's own thread only.
    private var isRestSet = false

    /// `harmed` hears that another program has removed, replaced or cut the file, and whether it was saved.
    init(
        engine: StoreEngine<State>,
        harmed: @escaping @Sendable (Database.Harm, Result<Void, Problem>) -> Never,
        deliver: @escaping @Sendable (StoreBatch<State>) -> Void
    ) throws {
        self.engine = engine
        self.deliver = deliver
        self.harmed = harmed
        thread = try LoopThread(name: "store")
        let path = engine.path
        thread.post { self.follow(path) }
    }

    private func follow(_ path: String) {
        guard watch >= 0 else { return }
        let changes = IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
        for file in [path, path + "-wal"] { inotify_add_watch(watch, file, UInt32(changes)) }
        var folder = path
        // Also of the folders above: a folder keeps its own files when it gets another name.
        for level in 0..<4 {
            guard let slash = folder.lastIndex(of: "/"), slash != folder.startIndex else { break }
            folder = String(folder[..<slash])
            let names = level == 0 ? IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO : 0
            inotify_add_watch(watch, folder, UInt32(names | IN_DELETE_SELF | IN_MOVE_SELF))
        }
        thread.currentWaiter.watch(descriptor: watch) { [self] in
            var buffer = [UInt8](repeating: 0, count: 4096)
            while read(watch, &buffer, buffer.count) > 0 {}
            look()
        }
    }

    /// Nothing is acknowledged that was written into a file which is gone.
    private func look() {
        guard let harm = engine.harm else { return }
        guard harm == .replaced else {
            harmed(harm, .failure(Problem("store.cut", "What was cut off or damaged is lost.")))
        }
        var saved = save()
        // Whatever removes a folder may still be at it.
        for _ in 0..<20 {
            if case .success = saved { break }
            var next = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
            poll(&next, 1, 50)
            saved = save()
        }
        harmed(harm, saved)
    }

    private func save() -> Result<Void, Problem> { Result { try engine.save() }.mapError { Problem($0) } }

    func submit(_ job: StoreJob) {
        let isFirst = queue.withLock { queue in
            queue.append(job)
            return queue.count == 1
        }
        if isFirst { thread.post { self.turn() } }
    }

    private func turn() {
        while true {
            let jobs = queue.withLock { Array($0.prefix(Self.batchMax)) }
            if jobs.isEmpty { return }
            let batch = engine.run(jobs)
            look()
            deliver(batch)
            // Taken out only now, so that `submit` posts no second turn while this one goes on.
            let isEmpty = queue.withLock { queue in
                queue.removeFirst(jobs.count)
                return queue.isEmpty
            }
            if isEmpty {
                if engine.needsRest { setRest() }
                return
            }
        }
    }

    private func setRest() {
        guard !isRestSet else { return }
        isRestSet = true
        thread.after(milliseconds: Self.restMs) { [self] in
            isRestSet = false
            if queue.withLock({ $0.isEmpty }) { engine.rest() } else { setRest() }
        }
    }

    /// Ends the thread, then the database: what was submitted before is done first.
    func stop() throws {
        thread.stop()
        thread.join()
        if watch >= 0 { Glibc.close(watch) }
        try engine.close()
    }
}
