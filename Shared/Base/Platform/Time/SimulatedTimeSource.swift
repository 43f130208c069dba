import Synchronization

/// Clocks that only move by a call, for tests and simulations inside one process.
package final class SimulatedTimeSource: TimeSource {
    private struct State {
        var reading: TimeReading
        var zone: String
        var isSynchronised = false
    }

    package let bootID: String
    private let state: Mutex<State>
    private let deadlines = DeadlineQueue()
    private let sleepers = SleepQueue()

    package init(wallMs: Int64, bootMs: Int64 = 60_000, zone: String = "UTC", bootID: String = "simulated") {
        self.bootID = bootID
        state = Mutex(
            State(reading: TimeReading(wallMs: wallMs, bootMs: bootMs, monotonicMs: bootMs), zone: zone)
        )
    }

    package func now() -> TimeReading { state.withLock { $0.reading } }

    package func zone() -> String { state.withLock { $0.zone } }

    package var isSynchronised: Bool { state.withLock { $0.isSynchronised } }

    /// Advances every clock.
    package func advance(byMs ms: Int64) {
        move {
            $0.wallMs += ms
            $0.bootMs += ms
            $0.monotonicMs += ms
        }
    }

    /// Simulates a suspended machine: every clock except the monotonic one advances.
    package func suspend(forMs ms: Int64) {
        move {
            $0.wallMs += ms
            $0.bootMs += ms
        }
    }

    /// Sets the wall clock, as a person or a time server does.
    package func stepWall(byMs ms: Int64, isSynchronised: Bool = false) {
        state.withLock { $0.isSynchronised = isSynchronised }
        move(isStep: true) { $0.wallMs += ms }
    }

    /// Sets all clocks and the zone together, as a `ClockPage` does. The boot id stays the same.
    package func apply(_ face: ClockState) {
        let isStep = state.withLock { state in
            state.zone = face.zone
            state.isSynchronised = face.isSynchronised
            let before = state.reading
            return face.reading.wallMs - face.reading.bootMs != before.wallMs - before.bootMs
        }
        move(isStep: isStep) { $0 = face.reading }
    }

    package func travel(toZone zone: String) { state.withLock { $0.zone = zone } }

    package func sleep(untilBootMs: Int64) async throws {
        try await sleepers.sleep(until: BootTime(ms: untilBootMs)) { self.now().boot }
    }

    package func makeWaker(_ callbacks: DeadlineCallbacks) -> any DeadlineWaker {
        QueuedDeadlineWaker(deadlines, callbacks) { self.now() }
    }

    /// The earliest moments of all alarms.
    package var nextDue: Deadlines { deadlines.next }

    private func move(isStep: Bool = false, _ change: (inout TimeReading) -> Void) {
        let now = state.withLock { state in
            change(&state.reading)
            return state.reading
        }
        sleepers.wake(now: now.boot)
        deadlines.clockDidMove(to: now, isStep: isStep)
    }
}
