package import STPlatform

/// What an adapter tells of a screen.
package enum DesktopEvent: Sendable, Equatable {
    /// A new window, or something of one has changed: all of it is told again.
    case window(DesktopWindow)
    case windowGone(WindowID)
    /// In front from this moment of boot time; nil is the bare desktop.
    ///
    /// Told after the window itself was told.
    case focus(WindowID?, atBootMs: Int64)
    /// Nobody has touched anything since that moment, which was as long ago as was asked for at the start.
    case idle(sinceBootMs: Int64)
    /// Somebody is there again.
    case touched(atBootMs: Int64)
    case outputs([DesktopOutput])
    /// All that there was at the start has been told.
    case ready(ScreenAbilities)
    case pane(PaneID, PaneEvent)
    /// The display is gone, and all that was known of it; nothing follows.
    case lost(Problem)
}
