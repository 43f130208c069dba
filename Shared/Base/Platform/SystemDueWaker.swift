import Glibc
import STCPlatform
import Synchronization

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
