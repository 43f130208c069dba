import STPlatform
import STTestSupport
import Synchronization
import Testing

@testable import STServiceKit

@Suite("The bell of a service")
struct DoorbellTests {
    @Test("keeps the process busy from a ring until its listener waits for the next")
    func busy() async throws {
        let pulse = Pulse()
        let bell = Doorbell(pulse)
        bell.ring()
        #expect(pulse.busy == 0, "the work would never be reported as done")
        let seen = Mutex<[Int]>([])
        let (work, goOn) = AsyncStream.makeStream(of: Void.self)
        let listener = Task {
            var steps = work.makeAsyncIterator()
            for await _ in bell.rings {
                seen.withLock { $0.append(pulse.busy) }
                _ = await steps.next()
            }
        }
        try await eventually("it works") {
            if seen.withLock({ $0 }) != [1] { throw NotYet("\(seen.withLock { $0 })") }
        }
        #expect(pulse.busy == 1)
        bell.ring()
        bell.ring()
        goOn.yield()
        try await eventually("it works again") {
            if seen.withLock({ $0 }) != [1, 1] { throw NotYet("\(seen.withLock { $0 })") }
        }
        #expect(pulse.busy == 1)
        goOn.yield()
        try await eventually("it rests") { if pulse.busy != 0 { throw NotYet("busy") } }
        bell.ring()
        #expect(pulse.busy == 1, "from the ring on, not from the moment at which it is heard")
        goOn.yield()
        try await eventually("it rests") { if pulse.busy != 0 { throw NotYet("busy") } }
        listener.cancel()
        await listener.value
        bell.ring()
        #expect(pulse.busy == 0)
    }

    @Test("work of a process's own counts from its begin to its end, also when it fails")
    func pulse() async throws {
        let pulse = Pulse()
        let inside = await pulse.during { pulse.busy }
        #expect(inside == 1)
        await #expect(throws: Problem.self) { try await pulse.during { throw Problem("test.failed", "") } }
        #expect(pulse.busy == 0)
        #expect(pulse.total == 2)
    }
}
