import Glibc
import STPlatform
import STTestSupport
import Synchronization
import Testing

@Suite("Loop threads")
struct LoopThreadTests {
    /// Calls a handler before it blocks, like a waiter that checks its sockets once more.
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

    @Test("An abandoned loop thread runs its posted work and is released after it stops")
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

    @Test("A loop thread does not hang if a handler posts work right before the waiter blocks")
    func lateWork() async throws {
        let loop = try LoopThread(name: "eager") { EagerWaiter() }
        let startMs = Stopwatch.milliseconds()
        await withCheckedContinuation { continuation in
            let gate = Gate(continuation)
            loop.post {
                // Without this timer, a loop that misses the posted work would never wake.
                loop.after(milliseconds: 5_000) { gate.open() }
                (loop.currentWaiter as? EagerWaiter)?.beforeBlocking = { loop.post { gate.open() } }
            }
        }

        #expect(Stopwatch.milliseconds() - startMs < 15_000)
        loop.stop()
        loop.join()
    }
}

/// A flag that one thread sets and another thread clears.
final class Flag: Sendable {
    private let value = Atomic(false)

    func set() { value.store(true, ordering: .releasing) }

    func take() -> Bool { value.exchange(false, ordering: .acquiringAndReleasing) }
}
