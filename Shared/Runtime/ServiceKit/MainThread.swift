import Glibc
import Synchronization

/// The process's first thread, as the executor of the task that is the service's life.
///
/// It has nothing else to do. The pool that tasks run on otherwise starts a thread that wakes up every second for as long
/// as the process lives, whether or not anything runs there.
final class MainThread: TaskExecutor, @unchecked Sendable {
    // @unchecked: the semaphore is made once, and is there to be used by any thread.
    private let jobs = Mutex<[UnownedJob]>([])
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    /// Lives as long as the process.
    init() { sem_init(semaphore, 0, 0) }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        jobs.withLock { $0.append(unowned) }
        sem_post(semaphore)
    }

    /// On the first thread itself; a job that runs there ends the process.
    func run() -> Never {
        let executor = asUnownedTaskExecutor()
        while true {
            guard sem_wait(semaphore) == 0 else { continue }
            let next = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            next?.runSynchronously(on: executor)
        }
    }
}
