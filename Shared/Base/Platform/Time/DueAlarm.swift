import Glibc
import STCPlatform
import Synchronization

/// When somebody wants to be woken, on the clocks of a `TimeSource`; nil is never.
package struct DueMoments: Sendable, Hashable {
    package var wallMs: Int64?
    package var bootMs: Int64?

    package init(wallMs: Int64? = nil, bootMs: Int64? = nil) {
        self.wallMs = wallMs
        self.bootMs = bootMs
    }

    package func isReached(at now: TimeReading) -> Bool {
        (wallMs.map { $0 <= now.wallMs } ?? false) || (bootMs.map { $0 <= now.bootMs } ?? false)
    }

    /// The earlier of both on each clock.
    package func merged(with other: DueMoments) -> DueMoments {
        DueMoments(wallMs: Self.earlier(wallMs, other.wallMs), bootMs: Self.earlier(bootMs, other.bootMs))
    }

    private static func earlier(_ one: Int64?, _ other: Int64?) -> Int64? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }
}

/// Rings once a moment of a `TimeSource` is reached: of its wall clock, or of its boot time.
///
/// Never early, and as soon as the clock shows it, also when somebody sets the wall clock; nothing polls. For what people
/// are told about their day. Deadlines, retries and watchdogs run on real time: those are for `Alarm`.
package final class DueAlarm: Sendable {
    private let waker: any DueWaker

    /// `onStep` is called when somebody has set the wall clock.
    ///
    /// Both closures run on the loop's thread.
    package init(
        _ thread: LoopThread,
        _ time: any TimeSource,
        onStep: @escaping @Sendable () -> Void = {},
        _ ring: @escaping @Sendable () -> Void
    ) throws(Problem) {
        waker = try time.makeWaker(DueCallbacks(thread: thread, ring: ring, step: onStep))
    }

    deinit { waker.close() }

    /// In place of what was set before; both nil takes it back.
    ///
    /// From any thread. It rings once: whoever wants to hear of a later moment sets it again.
    package func set(wallMs: Int64? = nil, bootMs: Int64? = nil) {
        waker.set(DueMoments(wallMs: wallMs, bootMs: bootMs))
    }
}

/// What a `TimeSource` gives to be woken at moments of its own clocks.
///
/// `DueAlarm` is how it is used.
package protocol DueWaker: AnyObject, Sendable {
    /// In place of what was set before; a moment that has passed wakes at once.
    ///
    /// From any thread.
    func set(_ due: DueMoments)

    /// Wakes no more.
    func close()
}

/// Whom to wake, and on which thread.
package struct DueCallbacks: Sendable {
    package let thread: LoopThread
    package let ring: @Sendable () -> Void
    package let step: @Sendable () -> Void

    package init(
        thread: LoopThread,
        ring: @escaping @Sendable () -> Void,
        step: @escaping @Sendable () -> Void
    ) {
        self.thread = thread
        self.ring = ring
        self.step = step
    }
}

/// Wakes at moments of the machine's own clocks, by two of the kernel's timers.
///
/// The kernel notices by itself that somebody sets the wall clock: a moment that is passed so rings at once, and
/// each setting is told. Nothing polls.
final class SystemDueWaker: DueWaker {
    private let callbacks: DueCallbacks
    private let wall: OwnedDescriptor
    private let boot: OwnedDescriptor
    private let due = Mutex(DueMoments())
    private let read: @Sendable (Int32) -> Int32

    /// `read` is another one in a test, because no test may set the machine's clock.
    init(
        _ callbacks: DueCallbacks,
        read: @escaping @Sendable (Int32) -> Int32 = st_timer_read
    ) throws(Problem) {
        self.callbacks = callbacks
        self.read = read
        wall = try Self.open(CLOCK_REALTIME)
        boot = try Self.open(CLOCK_BOOTTIME)
        // Also with nothing due, so that it is told when the clock is set.
        try Self.check(st_timer_clear(wall.number))
        // Held by the loop until `close`: `DueAlarm` calls that when nobody holds it any more.
        callbacks.thread.post { [self] in
            let waiter = callbacks.thread.currentWaiter
            waiter.watch(descriptor: wall.number) { self.heard(self.wall.number) }
            waiter.watch(descriptor: boot.number) { self.heard(self.boot.number) }
        }
    }

    func set(_ due: DueMoments) {
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

    func heard(_ descriptor: Int32) {
        let result = read(descriptor)
        if result == -ECANCELED {
            due.withLock { arm($0) }
            callbacks.step()
        } else if result == 1 {
            let isDue = due.withLock { due in
                // It may have been set anew since the kernel rang.
                guard due.isReached(at: SystemTimeSource.reading()) else { return false }
                due = DueMoments()
                arm(due)
                return true
            }
            if isDue { callbacks.ring() }
        }
    }

    /// The calls cannot fail: both descriptors are timers, and the moment is one.
    private func arm(_ due: DueMoments) {
        if let moment = due.wallMs { st_timer_set(wall.number, moment) } else { st_timer_clear(wall.number) }
        if let moment = due.bootMs { st_timer_set(boot.number, moment) } else { st_timer_clear(boot.number) }
    }

    private static func open(_ clock: clockid_t) throws(Problem) -> OwnedDescriptor {
        let number = st_timer_open(clock)
        guard number >= 0 else { throw SystemError.make("timerfd_create", -number) }
        return OwnedDescriptor(number)
    }

    private static func check(_ result: Int32) throws(Problem) {
        guard result >= 0 else { throw SystemError.make("timerfd_settime", -result) }
    }
}
