import Glibc
import STCPlatform
import Synchronization

/// The moments of an alarm on the clocks of a `TimeSource`. A moment that is `nil` never comes.
package struct Deadlines: Sendable, Hashable {
    package var wallMs: Int64?
    package var bootMs: Int64?

    package init(wallMs: Int64? = nil, bootMs: Int64? = nil) {
        self.wallMs = wallMs
        self.bootMs = bootMs
    }

    package func isDue(at now: TimeReading) -> Bool {
        (wallMs.map { $0 <= now.wallMs } ?? false) || (bootMs.map { $0 <= now.bootMs } ?? false)
    }

    /// The earlier moment of the two on each clock.
    package func merged(with other: Deadlines) -> Deadlines {
        Deadlines(wallMs: Self.earlier(wallMs, other.wallMs), bootMs: Self.earlier(bootMs, other.bootMs))
    }

    private static func earlier(_ one: Int64?, _ other: Int64?) -> Int64? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }
}

/// Rings when a `TimeSource` reaches a moment of its wall clock or of its boot time.
///
/// An alarm never rings early. It rings as soon as the clock shows the moment, also if a person sets the wall clock. Nothing polls.
/// Use it for the times that people see. Deadlines, retries and watchdogs run on real time and use `LoopTimer`.
package final class DeadlineTimer: Sendable {
    private let waker: any DeadlineWaker

    /// Creates an alarm. Calls `onStep` when a person or a program has set the wall clock. Both closures run on the loop's thread.
    package init(
        _ thread: LoopThread,
        time: any TimeSource,
        onStep: @escaping @Sendable () -> Void = {},
        ring: @escaping @Sendable () -> Void
    ) throws(Problem) {
        waker = try time.makeWaker(DeadlineCallbacks(thread: thread, ring: ring, step: onStep))
    }

    deinit { waker.close() }

    /// Replaces the moments set before. With both `nil` the alarm does not ring.
    ///
    /// May be called from any thread. An alarm rings once. Set it again for a later moment.
    package func set(wallMs: Int64? = nil, bootMs: Int64? = nil) {
        waker.set(Deadlines(wallMs: wallMs, bootMs: bootMs))
    }
}

/// The part of a `DeadlineTimer` that a `TimeSource` implements. Rings at moments of its own clocks.
package protocol DeadlineWaker: AnyObject, Sendable {
    /// Replaces the moments set before, from any thread. A moment that has passed rings immediately.
    func set(_ due: Deadlines)

    /// Stops ringing.
    func close()
}

/// The closures to call when an alarm rings or the clock is set, and their thread.
package struct DeadlineCallbacks: Sendable {
    package let thread: LoopThread
    package let onDeadline: @Sendable () -> Void
    package let onClockStep: @Sendable () -> Void

    package init(
        thread: LoopThread,
        ring: @escaping @Sendable () -> Void,
        step: @escaping @Sendable () -> Void
    ) {
        self.thread = thread
        self.onDeadline = ring
        self.onClockStep = step
    }
}

/// Rings at moments of the machine's own clocks, with two timers of the kernel.
///
/// The kernel itself detects when the wall clock is set. If the clock then shows a later moment than the alarm's, the alarm rings
/// immediately. `step` is called each time. Nothing polls.
final class SystemDeadlineWaker: DeadlineWaker {
    private let callbacks: DeadlineCallbacks
    let wall: OwnedDescriptor
    let boot: OwnedDescriptor
    private let due = Mutex(Deadlines())
    private let read: @Sendable (Int32) -> Int32

    /// Creates the timers. A test passes its own `read`, because no test may set the machine's clock.
    init(
        _ callbacks: DeadlineCallbacks,
        read: @escaping @Sendable (Int32) -> Int32 = st_timer_read
    ) throws(Problem) {
        self.callbacks = callbacks
        self.read = read
        wall = try Self.open(CLOCK_REALTIME)
        boot = try Self.open(CLOCK_BOOTTIME)
        // Armed even if nothing is due, so that the kernel reports when the clock is set.
        try Self.check(st_timer_clear(wall.number))
        // The loop retains this object until `close`, which `DeadlineTimer` calls when it is released.
        callbacks.thread.post { [self] in
            let waiter = callbacks.thread.currentWaiter
            waiter.watch(descriptor: wall.number) { self.timerDidExpire(self.wall.number) }
            waiter.watch(descriptor: boot.number) { self.timerDidExpire(self.boot.number) }
        }
    }

    func set(_ due: Deadlines) {
        self.due.withLock { current in
            current = due
            arm(due)
        }
    }

    func close() {
        callbacks.thread.post { [self] in
            let waiter = callbacks.thread.currentWaiter
            waiter.unwatch(descriptor: wall.number)
            waiter.unwatch(descriptor: boot.number)
        }
    }

    func timerDidExpire(_ descriptor: Int32) {
        let result = read(descriptor)
        if result == -ECANCELED {
            due.withLock { arm($0) }
            callbacks.onClockStep()
        } else if result == 1 {
            let isDue = due.withLock { due in
                // The alarm may have been set again since the timer expired. Or this processor's clock is slightly behind the one
                // that expired it. Then the timer expires again.
                let isReached = due.isDue(at: SystemTimeSource.reading())
                if isReached { due = Deadlines() }
                arm(due)
                return isReached
            }
            if isDue { callbacks.onDeadline() }
        }
    }

    /// Sets both timers. The calls cannot fail, because both descriptors are timers and the moments are valid.
    private func arm(_ due: Deadlines) {
        if let moment = due.wallMs { st_timer_set(wall.number, moment) } else { st_timer_clear(wall.number) }
        if let moment = due.bootMs { st_timer_set(boot.number, moment) } else { st_timer_clear(boot.number) }
    }

    private static func open(_ clock: clockid_t) throws(Problem) -> OwnedDescriptor {
        let number = st_timer_open(clock)
        guard number >= 0 else { throw SystemError.make("timerfd_create", number: -number) }
        return OwnedDescriptor(number)
    }

    private static func check(_ result: Int32) throws(Problem) {
        guard result >= 0 else { throw SystemError.make("timerfd_settime", number: -result) }
    }
}
