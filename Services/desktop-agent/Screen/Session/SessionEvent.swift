/// What the session around the screen tells; every moment is one of boot time.
package enum SessionEvent: Sendable, Equatable {
    /// A program that locks says so: logind's hint, or a screen saver.
    case locked(Bool, atBootMs: Int64)
    /// Somebody asked for it; whether anybody locks is another question.
    case lockAsked(atBootMs: Int64)
    case unlockAsked(atBootMs: Int64)
    /// Whether this session is the one in front of its seat; false: another user's is.
    case inFront(Bool, atBootMs: Int64)
    case sleeping(atBootMs: Int64)
    case woken(atBootMs: Int64)
    /// All that keep the desktop from being idle.
    case inhibitors([IdleInhibitor], atBootMs: Int64)
    /// All that play at this moment.
    case playing([MediaPlayer], atBootMs: Int64)
    /// Notifications that were put before the user since this was told before.
    case notified([NotificationSource: Int], atBootMs: Int64)
    /// Whether notifications can be counted here.
    case notifications(NotificationSight)
}
