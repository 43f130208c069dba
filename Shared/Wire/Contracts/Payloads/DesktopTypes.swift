/// Where what is in front is known from.
package enum AdapterKind: String, WireEnum {
    case x11
    case wlroots
    case scripted
    /// Nothing can be seen: time is `unobserved`.
    case none
    case unknown
}

/// What told which app a window belongs to, in the order in which they are tried.
package enum AppClue: String, WireEnum {
    case desktopEntry = "desktop_entry"
    case windowClass = "window_class"
    case flatpak
    case snap
    case scope
    case executable
    /// Nothing but what the window calls itself.
    case itself
    case unknown
}

/// How far a shield goes.
package enum Escalation: String, WireEnum {
    case cover
    case pause
    case close
    case end
    case unknown
}

/// How an app is held.
package enum PauseMeans: String, WireEnum {
    /// Its cgroup is frozen.
    case freezer
    /// Its processes were sent SIGSTOP.
    case signal
    case unknown
}

/// How far a shield on the screen has come.
package enum ScreenShieldStage: String, WireEnum {
    /// Wanted, and not yet on the screen.
    case rising
    case covered
    case paused
    /// Its windows were asked to close.
    case closing
    /// Its processes were told to end.
    case ending
    case unknown
}
