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
