import STPlatform
import Synchronization

/// Signals that something may have changed. Rings without a listener count as one ring.
///
/// From a ring until the listener waits for the next one, the process counts as busy.
package final class ChangeSignal: Sendable {
    private struct State {
        var hasListener = false
        var isWorking = false
        var isSignalled = false
    }

    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let state = Mutex(State())
    private let hold: VirtualTimeHold

    init(_ pulse: VirtualTimeHold) {
        self.hold = pulse
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func signal() {
        state.withLock { state in
            state.isSignalled = true
            // Without a listener, the process would count as busy forever.
            if state.hasListener { begin(&state) }
        }
        continuation.yield()
    }

    /// The rings, for one listener.
    package var signals: SignalSequence { SignalSequence(source: self) }

    package struct SignalSequence: AsyncSequence {
        package typealias Element = Void
        fileprivate let source: ChangeSignal

        package func makeAsyncIterator() -> Iterator {
            source.listen()
            return Iterator(source: source, base: source.stream.makeAsyncIterator())
        }
    }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let source: ChangeSignal
        fileprivate var base: AsyncStream<Void>.Iterator

        package mutating func next() async -> Void? {
            source.finishWork()
            let ring: Void? = await base.next()
            source.wake(isOver: ring == nil)
            return ring
        }
    }

    private func listen() {
        state.withLock { state in
            state.hasListener = true
            if state.isSignalled { begin(&state) }
        }
    }

    /// Ends the busy state, unless the bell has rung again since.
    private func finishWork() {
        state.withLock { state in
            if state.isWorking, !state.isSignalled { end(&state) }
        }
    }

    private func wake(isOver: Bool) {
        state.withLock { state in
            state.isSignalled = false
            if isOver {
                state.hasListener = false
                if state.isWorking { end(&state) }
            } else {
                begin(&state)
            }
        }
    }

    private func begin(_ state: inout State) {
        guard !state.isWorking else { return }
        state.isWorking = true
        hold.begin()
    }

    private func end(_ state: inout State) {
        state.isWorking = false
        hold.end()
    }
}

/// The reason of a ring: raised by the code that rings the bell, and lowered by the listener.
package final class Flag: Sendable {
    private let value = Atomic(false)

    package init() {}

    package func mark() { value.store(true, ordering: .releasing) }

    /// Returns true if the flag was raised since the last call.
    package func clear() -> Bool { value.exchange(false, ordering: .acquiringAndReleasing) }
}
