import Glibc
import Synchronization

/// The first thread of the process, as the executor of the service's main task.
///
/// This thread has no other work. Swift's default thread pool would start a thread that wakes up every second as long as the
/// process lives, even if it runs nothing.
final class MainThread: TaskExecutor, @unchecked Sendable {
    // @unchecked: the semaphore is created once, and every thread may use it.
    private let jobs = Mutex<[UnownedJob]>([])
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    /// Lives as long as the process.
    init() { sem_init(semaphore, 0, 0) }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        jobs.withLock { $0.append(unowned) }
        sem_post(semaphore)
    }

    /// Runs jobs on the first thread, until one of them ends the process.
    func run() -> Never {
        let executor = asUnownedTaskExecutor()
        while true {
            guard sem_wait(semaphore) == 0 else { continue }
            let next = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            next?.runSynchronously(on: executor)
        }
    }
}
