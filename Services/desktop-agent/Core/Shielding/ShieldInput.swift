package import STContracts
package import STDesktop
package import STPlatform

/// What the director of shields is told.
package enum ShieldInput: Sendable {
    /// Whatever an earlier agent had paused runs again.
    case ready
    /// The screen as it is now, and what is decided about the apps on it; who is not named may be used.
    case scene(DesktopScene, [String: ShieldWord])
    case pane(PaneID, PaneEvent)
    /// The look that was asked for under this ticket.
    case look(app: String, ticket: Int64, LookOutcome)
    /// A picture that was ordered; with a problem there is none.
    case drawn(PictureKey, Result<ShieldPicture, Problem>)
    case answered(app: String, press: Int64, Result<ShieldPress.Reply, Problem>)
    case requested(app: String, Result<RequestAdd.Reply, Problem>)
    case verdict(app: String, PauseVerdict)
    case paused(app: String, PauseOutcome)
    case thawed(app: String)
    /// The display does not answer while something is held.
    case silent
    /// Somebody else has let the app go on.
    case continued(app: String)
    /// The call or recording of the app; nil: none.
    case underway(app: String, String?)
    case ended(app: String, processes: Int)
    /// How more time may be asked for here; nil: nobody could grant it.
    case offer(MoreOffer?)
    /// An app that may be shielded within seconds.
    case soon(app: String)
    case tick
    /// The agent ends: everything is let go of.
    case stop
}
