import STPlatform
import STTestSupport
import Synchronization
import Testing

@testable import STServiceKit

@Suite("Doorbell of a service")
struct DoorbellTests {
    @Test("A ring keeps the process busy until its listener waits for the next ring")
    func busy() async throws {
        let pulse = VirtualTimeHold()
        let bell = ChangeSignal(pulse)
        bell.signal()
        #expect(pulse.active == 0, "the work would never be reported as done")
        let seen = Mutex<[Int]>([])
        let (work, goOn) = AsyncStream.makeStream(of: Void.self)
        let listener = Task {
            var steps = work.makeAsyncIterator()
            for await _ in bell.signals {
                seen.withLock { $0.append(pulse.active) }
                _ = await steps.next()
            }
        }
        try await eventually("the work runs") {
            if seen.withLock({ $0 }) != [1] { throw NotYet("\(seen.withLock { $0 })") }
        }
        #expect(pulse.active == 1)
        bell.signal()
        bell.signal()
        goOn.yield()
        try await eventually("the work runs again") {
            if seen.withLock({ $0 }) != [1, 1] { throw NotYet("\(seen.withLock { $0 })") }
        }
        #expect(pulse.active == 1)
        goOn.yield()
        try await eventually("the work is done") { if pulse.active != 0 { throw NotYet("busy") } }
        bell.signal()
        #expect(pulse.active == 1, "from the ring on, not from the moment at which it is heard")
        goOn.yield()
        try await eventually("the work is done") { if pulse.active != 0 { throw NotYet("busy") } }
        listener.cancel()
        await listener.value
        bell.signal()
        #expect(pulse.active == 0)
    }

    @Test("The process is busy during its own work, also if the work fails")
    func pulse() async throws {
        let pulse = VirtualTimeHold()
        let inside = await pulse.perform { pulse.active }
        #expect(inside == 1)
        await #expect(throws: Problem.self) { try await pulse.perform { throw Problem("test.failed", "") } }
        #expect(pulse.active == 0)
        #expect(pulse.total == 2)
    }
}
