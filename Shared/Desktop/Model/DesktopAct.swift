/// What the agent wants of a screen; acts on what is no longer there do nothing.
package enum DesktopAct: Sendable, Equatable {
    case openPane(PaneOrder)
    /// Answers every `PaneEvent.shown`, and whenever it looks different.
    case paint(PaneID, PanePicture)
    case closePane(PaneID)
    /// Asks for pointer and keyboard over a pane of ours; answered by `PaneEvent.held`.
    ///
    /// True is a promise: no input reaches what lies beneath until the pane closes, or `held` says false.
    case holdInput(PaneID)
    case minimize([WindowID])
    /// Brings it in front; nil: whatever the desktop would show next.
    case activate(WindowID?)
    /// As though its close button had been pressed.
    case askToClose(WindowID)
}
