import STTestSupport
import Synchronization
import Testing

@testable import STPlatform

@Suite("An alarm")
struct AlarmTests {
    private final class Bell: Sendable {
        private let rung = Mutex(0)

        func ring() { rung.withLock { $0 += 1 } }

        var rings: Int { rung.withLock { $0 } }
    }

    @Test("rings once for all who asked, at the earliest moment, and again when it is asked again")
    func once() async throws {
        let loop = try LoopThread(name: "alarm")
        let bell = Bell()
        let alarm = LoopTimer(loop) { bell.ring() }
        alarm.fire(afterMs: 3_600_000)
        // In one turn of the loop, so that it does not ring in between.
        loop.post { for _ in 0..<100 { alarm.fire(afterMs: 20) } }
        try await eventually("it rings") { if bell.rings == 0 { throw NotYet("silent") } }
        await pass(ms: 60, on: loop)
        #expect(bell.rings == 1)

        alarm.fire(afterMs: 0)
        try await eventually("it rings again") { if bell.rings == 1 { throw NotYet("silent") } }
        #expect(bell.rings == 2)
        loop.stop()
        loop.join()
    }

    private func pass(ms: Int64, on loop: LoopThread) async {
        await withCheckedContinuation { continuation in
            loop.post { loop.after(milliseconds: ms) { continuation.resume() } }
        }
    }
}

@Suite("Timers")
struct TimerHeapTests {
    @Test("one that was cancelled is nothing to wake up for, wherever it stood")
    func cancelled() {
        var heap = TimerHeap()
        var fired: [String] = []
        _ = heap.add(atMs: 10) { fired.append("first") }
        let second = heap.add(atMs: 20) { fired.append("second") }
        _ = heap.add(atMs: 30) { fired.append("third") }
        heap.cancel(second)

        while let action = heap.popDue(nowMs: 10) { action() }

        #expect(fired == ["first"])
        #expect(heap.nextMs == 30)
    }
}

@Suite("A patience")
struct PatienceTests {
    @Test("ends after its time, of which a stall of the whole process takes five seconds")
    func ends() {
        var patience = WaitLimit(milliseconds: 60_000, nowMs: 0)
        let looks = (1...500).map { Int64($0) * 100 } + [110_000, 114_999, 115_000]
        let ends = looks.map { patience.isOver(nowMs: $0) }
        #expect(ends.dropLast().allSatisfy { !$0 } && ends.last == true)
    }
}
