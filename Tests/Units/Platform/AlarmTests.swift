import STTestSupport
import Synchronization
import Testing

@testable import STPlatform

@Suite("Loop timers")
struct AlarmTests {
    private final class Bell: Sendable {
        private let rung = Mutex(0)

        func ring() { rung.withLock { $0 += 1 } }

        var rings: Int { rung.withLock { $0 } }
    }

    @Test("A timer set for several moments fires once, at the earliest, and fires again when set again")
    func once() async throws {
        let loop = try LoopThread(name: "alarm")
        let bell = Bell()
        let alarm = LoopTimer(loop) { bell.ring() }
        alarm.fire(afterMs: 3_600_000)
        // All in one iteration of the loop, so that the timer does not fire in between.
        loop.post { for _ in 0..<100 { alarm.fire(afterMs: 20) } }
        try await eventually("the timer fires") { if bell.rings == 0 { throw NotYet("silent") } }
        await pass(ms: 60, on: loop)
        #expect(bell.rings == 1)

        alarm.fire(afterMs: 0)
        try await eventually("the timer fires again") { if bell.rings == 1 { throw NotYet("silent") } }
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

@Suite("Timer heap")
struct TimerHeapTests {
    @Test("After a timer is cancelled, the next wake-up is that of the timer after it")
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

@Suite("Wait limits")
struct PatienceTests {
    @Test("A wait limit ends after its time, and a stall of the process counts as five seconds")
    func ends() {
        var patience = WaitLimit(milliseconds: 60_000, nowMs: 0)
        let looks = (1...500).map { Int64($0) * 100 } + [110_000, 114_999, 115_000]
        let ends = looks.map { patience.isOver(nowMs: $0) }
        #expect(ends.dropLast().allSatisfy { !$0 } && ends.last == true)
    }
}
