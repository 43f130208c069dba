import Testing

@testable import STPlatform

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
