package import STContracts
package import STDesktop
package import STPlatform

/// What the director of shields hears.
package enum ShieldInput: Sendable {
    /// What an earlier agent had paused runs again.
    case ready
    /// The screen as it is now, and what is decided about the apps on it; an app that is not named may be used.
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
    /// Another program has let the app go on.
    case continued(app: String)
    /// The call or recording of the app; nil: none.
    case underway(app: String, Message?)
    case ended(app: String, processes: Int)
    /// How more time may be asked for here; nil: it cannot.
    case offer(MoreOffer?)
    /// An app that may be shielded within seconds.
    case soon(app: String)
    case tick
    /// The agent ends: everything runs again.
    case stop
}

/// What came of asking for a look.
package enum LookOutcome: Sendable {
    /// `shield` is its name for buttons; nil where the showing was not counted.
    case look(ShieldLookView, shield: String?)
    /// The app is not shielded at shield-service.
    case lifted
    case failed(Problem)
}

/// How more time may be asked for on this desktop.
package enum MoreOffer: Sendable, Equatable {
    /// The person's own rule grants it, and this much at a time at most.
    case own(mostMs: Int64, delayMs: Int64)
    /// A guardian has to say yes.
    case guardian
}

/// What the director of shields wants done.
package enum ShieldOrder: Sendable, Equatable {
    case screen([DesktopAct])
    /// `counts`: a person sees it from `wallMs` on.
    case askLook(app: String, ticket: Int64, counts: Bool, wallMs: Int64)
    case press(app: String, shield: String, button: ShieldButton, press: Int64)
    case requestTime(app: String, shield: String?, durationMs: Int64)
    /// One at a time; the easel chooses the output's path.
    case draw(PictureKey, DrawRequest)
    /// Files that are not needed any more.
    case forget([String])
    case verdict(app: String, pids: [Int32])
    case pause(app: String, pids: [Int32])
    case thaw(app: String)
    case underway(app: String, pids: [Int32])
    case end(app: String, pids: [Int32])
    /// These apps have a shield on the screen.
    case shielded(Set<String>)
    case notify(ShieldNotice)
    /// Finds out anew how more time could be asked for.
    case askOffer
}

/// What a person reads beside the shield itself.
package struct ShieldNotice: Sendable, Equatable {
    package var id: String
    package var title: String
    package var body: String

    package init(id: String, title: String, body: String) {
        self.id = id
        self.title = title
        self.body = body
    }
}
