/// What can be seen of the session at this moment, for the doctor.
package struct SessionFacts: Sendable, Equatable {
    /// Nil: reachable; otherwise the sentence that says why not.
    package var systemBusTrouble: String? = "It is not known yet."
    package var sessionBusTrouble: String? = "It is not known yet."
    package var session: LoginSession?
    /// Why there is none.
    package var noSession: String? = "It is not known yet."
    /// Whether the computer waits for us before it sleeps.
    package var delaysSleep = false
    /// By name: those that say when they lock the screen.
    package var screenSavers: [String] = []
    package var inhibitors: [IdleInhibitor] = []
    /// All that offer to be asked, playing or not.
    package var players = 0
    package var playing: [MediaPlayer] = []
    package var notifications = NotificationSight.notKnown("It is not known yet.")

    package init() {}

    /// A lock, by anybody who would tell of it.
    package var seesLock: Bool { session != nil || !screenSavers.isEmpty }
    package var seesUserSwitch: Bool { session.map { !$0.seat.isEmpty } ?? false }
    package var seesSleep: Bool { systemBusTrouble == nil && session != nil }
    package var seesMedia: Bool { sessionBusTrouble == nil }
}
