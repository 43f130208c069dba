import Glibc
import STCPlatform
import Synchronization

/// One OS thread that is the serial executor of the actors whose resources belong to it: sockets, or a database.
///
/// Jobs, posted closures, timers and descriptor handlers all run on that thread, one at a time. All signals are blocked on it, so a
/// signal never interrupts a library call.
package final class LoopThread: SerialExecutor, TaskExecutor, @unchecked Sendable {
    // @unchecked: `inbox` and `identity` synchronise themselves. The properties after `handle` are accessed only on the loop's
    // thread, which every access checks.
    private enum Item {
        case job(UnownedJob)
        case work(@Sendable () -> Void)
    }

    private struct Inbox {
        var items: [Item] = []
        var isStopped = false
    }

    private let inbox = Mutex(Inbox())
    private let wakeDescriptor: Int32
    private let identity = Atomic<UInt>(0)
    private let finished = Mutex(false)
    private var handle = pthread_t()
    private var waiter: any LoopWaiter = PollWaiter()
    private var timers = TimerHeap()
    private var isWaiting = false

    /// Starts the thread and returns once it runs.
    package init(name: String, makeWaiter: @escaping @Sendable () -> any LoopWaiter = { PollWaiter() }) throws
    {
        wakeDescriptor = st_eventfd()
        guard wakeDescriptor >= 0 else { throw SystemError.last("eventfd") }
        let start = ThreadStart(name: name) { [self] in
            waiter = makeWaiter()
            waiter.watch(descriptor: wakeDescriptor) { [unowned self] in drainWakeUps() }
            identity.store(UInt(bitPattern: Int(pthread_self())), ordering: .releasing)
        } body: { [self] in
            run()
        }
        handle = try start.launch()
    }

    deinit { close(wakeDescriptor) }

    // MARK: - From any thread

    package func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    package func checkIsolated() { precondition(isCurrent, "must run on the loop's own thread") }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// Runs a closure on the thread, after everything that was added before it.
    package func post(_ work: @escaping @Sendable () -> Void) { add(.work(work)) }

    /// Ends the loop once everything already added has run. `join` waits for that.
    package func stop() {
        inbox.withLock { $0.isStopped = true }
        wake()
    }

    /// Waits until the thread has ended. Call this once, and never from the thread itself.
    package func join() {
        precondition(!isCurrent, "a loop cannot wait for itself")
        if claimEnd() { pthread_join(handle, nil) }
    }

    /// Detaches the thread. Call this instead of `join` if no thread waits. The system frees the thread's resources when it ends.
    package func abandon() {
        if claimEnd() { pthread_detach(handle) }
    }

    private func claimEnd() -> Bool {
        finished.withLock { done in
            defer { done = true }
            return !done
        }
    }

    package var isCurrent: Bool {
        identity.load(ordering: .acquiring) == UInt(bitPattern: Int(pthread_self()))
    }

    private func add(_ item: Item) {
        let wasEmpty = inbox.withLock { inbox in
            inbox.items.append(item)
            return inbox.items.count == 1
        }
        // On its own thread the loop reads the inbox before it waits again, so no wake-up is needed. But a waiter also calls
        // handlers before it blocks.
        if wasEmpty && (!isCurrent || isWaiting) { wake() }
    }

    private func wake() {
        var one: UInt64 = 1
        _ = write(wakeDescriptor, &one, 8)
    }

    // MARK: - On the loop's thread

    /// The waiter, for the owners of sockets and descriptors on this thread.
    package var currentWaiter: any LoopWaiter {
        checkIsolated()
        return waiter
    }

    /// Runs a closure after some real time. Pass the returned number to `cancelTimer`.
    @discardableResult
    package func after(milliseconds: Int64, _ work: @escaping () -> Void) -> UInt64 {
        checkIsolated()
        return timers.add(atMs: Stopwatch.milliseconds() + max(0, milliseconds), work)
    }

    package func cancelTimer(_ id: UInt64) {
        checkIsolated()
        timers.cancel(id)
    }

    private func run() {
        while true {
            let isStopped = runItems()
            if isStopped { return }
            let now = Stopwatch.milliseconds()
            // Removed one by one, because an action may itself add or cancel timers.
            while let action = timers.popDue(nowMs: now) { action() }
            let timeoutMs = timeout()
            isWaiting = true
            waiter.wait(timeoutMs: timeoutMs)
            isWaiting = false
        }
    }

    /// The maximum number of rounds of items, each added by the one before, that run before sockets and timers are served.
    private static let roundsMax = 32

    /// Runs the items that have been added. Returns true once the loop is stopped and nothing is left.
    private func runItems() -> Bool {
        let executor = asUnownedSerialExecutor()
        for _ in 0..<Self.roundsMax {
            let (items, isStopped) = inbox.withLock { inbox in
                let items = inbox.items
                inbox.items = []
                return (items, inbox.isStopped)
            }
            if items.isEmpty { return isStopped }
            for item in items {
                switch item {
                case .job(let job): job.runSynchronously(on: executor)
                case .work(let work): work()
                }
            }
        }
        return false
    }

    private func timeout() -> Int {
        let hasMore = inbox.withLock { !$0.items.isEmpty || $0.isStopped }
        if hasMore { return 0 }
        guard let next = timers.nextMs else { return -1 }
        return Int(clamping: max(0, next - Stopwatch.milliseconds()))
    }

    private func drainWakeUps() {
        var count: UInt64 = 0
        _ = read(wakeDescriptor, &count, 8)
    }
}

/// The call in which a loop thread blocks.
///
/// `PollWaiter` waits for file descriptors. The bus has a waiter for sockets as well.
package protocol LoopWaiter: AnyObject {
    func watch(descriptor: Int32, _ onReadable: @escaping () -> Void)
    func unwatch(descriptor: Int32)

    /// Blocks for at most `timeoutMs` (-1: without a limit), and calls the handlers of the descriptors that became ready.
    func wait(timeoutMs: Int)
}

/// A waiter that uses poll(2).
package final class PollWaiter: LoopWaiter {
    private var items: [pollfd] = []
    private var handlers: [() -> Void] = []

    package init() {}

    package func watch(descriptor: Int32, _ onReadable: @escaping () -> Void) {
        items.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        handlers.append(onReadable)
    }

    package func unwatch(descriptor: Int32) {
        guard let index = items.firstIndex(where: { $0.fd == descriptor }) else { return }
        items.remove(at: index)
        handlers.remove(at: index)
    }

    package func wait(timeoutMs: Int) {
        guard poll(&items, nfds_t(items.count), Int32(clamping: timeoutMs)) > 0 else { return }
        // A handler may watch or unwatch, so collect the ready handlers before calling the first.
        let ready = items.indices.filter { items[$0].revents != 0 }.map { handlers[$0] }
        for handler in ready { handler() }
    }
}
