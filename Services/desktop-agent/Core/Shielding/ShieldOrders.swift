package import STContracts
package import STDesktop
package import STPlatform

/// An input of `ShieldStateMachine`.
package enum ShieldInput: Sendable {
    /// Apps that an earlier agent had paused run again.
    case ready
    /// The present screen, and the decisions about its apps. An app without a decision may be used.
    case scene(DesktopModel, [String: ShieldStatus])
    case pane(PaneID, PaneEvent)
    /// The result of the request for a look with this ticket.
    case look(app: String, ticket: Int64, AppearanceOutcome)
    /// The result of an ordered drawing.
    case drawn(PictureKey, Result<ShieldPicture, Problem>)
    case answered(app: String, press: Int64, Result<ShieldPress.Reply, Problem>)
    case requested(app: String, Result<RequestAdd.Reply, Problem>)
    case verdict(app: String, PauseVerdict)
    case paused(app: String, PauseOutcome)
    case thawed(app: String)
    /// The display does not answer while an app is paused.
    case screenTimedOut
    /// Another program has resumed the app.
    case continued(app: String)
    /// A sentence about the call or recording of the app, or nil if there is none.
    case underway(app: String, Message?)
    case ended(app: String, processes: Int)
    /// The way to ask for more time here, or nil if there is none.
    case offer(MoreTimeOffer?)
    /// An app that may be shielded within seconds.
    case soon(app: String)
    case tick
    /// The agent ends: all apps must run again.
    case stop
}

/// The result of a request for a look.
package enum AppearanceOutcome: Sendable {
    /// `shield` is the name of the showing, for its buttons. It is nil if the showing was not counted.
    case look(ShieldAppearanceView, shield: String?)
    /// The app is not shielded according to shield-service.
    case lifted
    case failed(Problem)
}

/// The ways to ask for more time on this desktop.
package enum MoreTimeOffer: Sendable, Equatable {
    /// The person's own rule grants more time, at most `most` per request.
    case own(most: Duration, delay: Duration)
    /// A guardian must approve the request.
    case guardian
}

/// An action that the caller of `ShieldStateMachine` performs.
package enum ShieldEffect: Sendable, Equatable {
    case screen([DesktopAction])
    /// Requests a look. `counts` is true if a person sees the shield from `wall` on.
    case askLook(app: String, ticket: Int64, counts: Bool, wall: WallTime)
    case press(app: String, shield: String, button: ShieldButton, press: Int64)
    case requestTime(app: String, shield: String?, duration: Duration)
    /// Draws a picture. There is one drawing at a time, and the easel chooses the path of the output.
    case draw(PictureKey, DrawRequest)
    /// Deletes files that are no longer needed.
    case forget([String])
    case verdict(app: String, pids: [Int32])
    case pause(app: String, pids: [Int32])
    case thaw(app: String)
    case underway(app: String, pids: [Int32])
    case end(app: String, pids: [Int32])
    /// Reports the apps that have a shield on the screen.
    case shielded(Set<String>)
    case notify(ShieldNotice)
    /// Determines again in which way more time can be requested.
    case requestOffer
}

/// A notification about a shield.
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
