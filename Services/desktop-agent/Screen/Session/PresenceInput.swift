/// What presence depends on; every moment is one of boot time.
package enum PresenceInput: Sendable, Equatable {
    /// As `DesktopEvent` tells them.
    case idle(sinceBootMs: Int64)
    case touched(atBootMs: Int64)
    /// When something was touched last, where that was asked for.
    case input(atBootMs: Int64)
    /// Whether the screen can be seen at all: false before it is ready, and after it was lost.
    case screen(isKnown: Bool)
    case session(SessionEvent)
    /// Nil is the bare desktop.
    case front(FrontApp?)
    /// Nothing but that time has passed: it is `dueBootMs`.
    case time
}
