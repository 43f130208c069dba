import Glibc
import STPlatform
import STTestSupport
import Synchronization
import Testing

@Suite("A loop thread")
struct LoopThreadTests {
    /// Calls a handler before it blocks, as one does that looks at its sockets once more.
    private final class EagerWaiter: LoopWaiter {
        private let inner = PollWaiter()
        var beforeBlocking: () -> Void = {}

        func watch(descriptor: Int32, _ onReadable: @escaping () -> Void) {
            inner.watch(descriptor: descriptor, onReadable)
        }

        func unwatch(descriptor: Int32) { inner.unwatch(descriptor: descriptor) }

        func wait(timeoutMs: Int) {
            let action = beforeBlocking
            beforeBlocking = {}
            action()
            inner.wait(timeoutMs: timeoutMs)
        }
    }

    /// Resumes the waiting task, the first time only.
    private final class Gate: Sendable {
        private let waiting: Mutex<CheckedContinuation<Void, Never>?>

        init(_ continuation: CheckedContinuation<Void, Never>) { waiting = Mutex(continuation) }

        func open() {
            waiting.withLock { waiting in
                waiting?.resume()
                waiting = nil
            }
        }
    }

    @Test("ends by itself and frees all it held when no thread joins it")
    func letGo() async throws {
        let hasRun = Flag()
        weak var left: LoopThread?
        do {
            let loop = try LoopThread(name: "let go")
            left = loop
            loop.post { hasRun.set() }
            loop.stop()
            loop.abandon()
        }
        try await eventually("it is gone") { if left != nil { throw NotYet("it is still there") } }
        #expect(hasRun.take())
    }

    @Test("runs what a handler posts right before the waiter blocks, and does not sleep on it")
    func lateWork() async throws {
        let loop = try LoopThread(name: "eager") { EagerWaiter() }
        let startMs = Stopwatch.milliseconds()
        await withCheckedContinuation { continuation in
            let gate = Gate(continuation)
            loop.post {
                // Otherwise nothing would ever wake the loop; so a failure is a late answer and not a hang.
                loop.after(milliseconds: 5_000) { gate.open() }
                (loop.currentWaiter as? EagerWaiter)?.beforeBlocking = { loop.post { gate.open() } }
            }
        }

        #expect(Stopwatch.milliseconds() - startMs < 15_000)
        loop.stop()
        loop.join()
    }
}

/// Set by one thread, taken down by another.
final class Flag: Sendable {
    private let value = Atomic(false)

    func set() { value.store(true, ordering: .releasing) }

    func take() -> Bool { value.exchange(false, ordering: .acquiringAndReleasing) }
}
