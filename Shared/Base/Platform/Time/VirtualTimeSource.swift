import Synchronization

/// Clocks that another process moves, for a whole system in virtual time.
///
/// Reading never waits. The process that moves the clocks reports each movement, and `clockTurned` then wakes everything that is
/// due.
package final class VirtualTimeSource: TimeSource {
    private let page: ClockPage
    private let deadlines = DeadlineQueue()
    private let sleepers = SleepQueue()
    /// Wall minus boot time, and the zone, at the last movement. If they differ, a person has set the clock or the zone.
    private let setting: Mutex<Setting>

    private struct Setting: Equatable {
        var offset: Duration
        var zone: String
    }

    package init(_ page: ClockPage) {
        self.page = page
        let face = page.state
        setting = Mutex(Setting(offset: face.reading.offset, zone: face.zone))
    }

    package func now() -> TimeReading { page.state.reading }

    package var bootID: String { page.state.bootID }

    package func zone() -> String { page.state.zone }

    package var isSynchronised: Bool { page.state.isSynchronised }

    package var virtual: VirtualTimeSource? { self }

    package func sleep(untilBootMs: Int64) async throws {
        try await sleepers.sleep(until: BootTime(ms: untilBootMs)) { self.now().boot }
    }

    package func makeWaker(_ callbacks: DeadlineCallbacks) -> any DeadlineWaker {
        QueuedDeadlineWaker(deadlines, callbacks) { self.now() }
    }

    /// Wakes sleepers and alarms after another process has moved the clocks.
    ///
    /// If called on the loop's thread, every due alarm of that thread has rung when this returns.
    package func clockDidChange() {
        let face = page.state
        let now = face.reading
        let isStep = setting.withLock { setting in
            let new = Setting(offset: now.offset, zone: face.zone)
            defer { setting = new }
            return setting != new
        }
        sleepers.wake(now: now.boot)
        deadlines.clockDidMove(to: now, isStep: isStep)
    }

    /// The earliest moments of all alarms and sleepers. One that is not later than now is being woken.
    package var nextDue: Deadlines { deadlines.next.merged(with: Deadlines(bootMs: sleepers.next?.ms)) }

    package var path: String { page.path }

    package var generation: UInt64 { page.generation }
}

extension TimeReading {
    fileprivate var offset: Duration { .milliseconds(wallMs - bootMs) }
}

/// Counts the work that a process does on its own initiative, such as a running delivery or an imminent retry.
///
/// A virtual clock moves only once all work is done. The clock sees requests and events in progress by other means. All other work,
/// and a wait on the real clock before a retry, is counted here.
package final class VirtualTimeHold: Sendable {
    private let activeCount = Atomic(0)
    private let startedCount = Atomic<Int64>(0)

    package init() {}

    package func begin() {
        startedCount.add(1, ordering: .relaxed)
        activeCount.add(1, ordering: .acquiringAndReleasing)
    }

    package func end() {
        let left = activeCount.subtract(1, ordering: .acquiringAndReleasing).newValue
        precondition(left >= 0, "work ended that had not begun")
    }

    /// Counts as work from before the closure until it returns or throws.
    package func perform<Result: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ work: () async throws -> Result
    ) async rethrows -> Result {
        begin()
        defer { end() }
        return try await work()
    }

    package var active: Int { activeCount.load(ordering: .acquiring) }

    /// The number of times that work has begun. If two reads return the same number, no work began between them.
    package var total: Int64 { startedCount.load(ordering: .relaxed) }
}
