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
