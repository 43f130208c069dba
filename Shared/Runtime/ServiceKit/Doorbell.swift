import STPlatform
import Synchronization

/// Signals that something may have changed. Rings without a listener count as one ring.
///
/// From a ring until the listener waits for the next one, the process counts as busy.
package final class Doorbell: Sendable {
    private struct State {
        var isHeard = false
        var isWorking = false
        var hasRung = false
    }

    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let state = Mutex(State())
    private let pulse: Pulse

    init(_ pulse: Pulse) {
        self.pulse = pulse
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func ring() {
        state.withLock { state in
            state.hasRung = true
            // Without a listener, the process would count as busy forever.
            if state.isHeard { begin(&state) }
        }
        continuation.yield()
    }

    /// The rings, for one listener.
    package var rings: Rings { Rings(bell: self) }

    package struct Rings: AsyncSequence {
        package typealias Element = Void
        fileprivate let bell: Doorbell

        package func makeAsyncIterator() -> Iterator {
            bell.listen()
            return Iterator(bell: bell, base: bell.stream.makeAsyncIterator())
        }
    }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let bell: Doorbell
        fileprivate var base: AsyncStream<Void>.Iterator

        package mutating func next() async -> Void? {
            bell.rest()
            let ring: Void? = await base.next()
            bell.wakeUp(isOver: ring == nil)
            return ring
        }
    }

    private func listen() {
        state.withLock { state in
            state.isHeard = true
            if state.hasRung { begin(&state) }
        }
    }

    /// Ends the busy state, unless the bell has rung again since.
    private func rest() {
        state.withLock { state in
            if state.isWorking, !state.hasRung { end(&state) }
        }
    }

    private func wakeUp(isOver: Bool) {
        state.withLock { state in
            state.hasRung = false
            if isOver {
                state.isHeard = false
                if state.isWorking { end(&state) }
            } else {
                begin(&state)
            }
        }
    }

    private func begin(_ state: inout State) {
        guard !state.isWorking else { return }
        state.isWorking = true
        pulse.begin()
    }

    private func end(_ state: inout State) {
        state.isWorking = false
        pulse.end()
    }
}

/// The reason of a ring: raised by the code that rings the bell, and lowered by the listener.
package final class Flag: Sendable {
    private let value = Atomic(false)

    package init() {}

    package func raise() { value.store(true, ordering: .releasing) }

    /// Returns true if the flag was raised since the last call.
    package func lower() -> Bool { value.exchange(false, ordering: .acquiringAndReleasing) }
}
