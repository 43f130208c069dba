package import STContracts
package import STPlatform

/// What the doctor knows beside the screen; nil: that was not looked at.
package struct DoctorFacts: Sendable, Equatable {
    /// What the adapter at work says it can do; nil when none is.
    package var abilities: [DoctorAbility: Bool]?
    /// How many programs there are to choose from.
    package var programs: Int?
    /// Browsers with windows, by name, and the version of the extension that says which site is in front; nil: none does.
    package var browsers: [String: String?] = [:]
    /// Which session of logind this is; nil: logind does not know us.
    package var session: String?
    package var isLogindReachable: Bool?
    package var isSessionBusReachable: Bool?
    /// Programs that tell when they lock the screen.
    package var screenSavers: [String] = []
    /// After how many milliseconds without a key or a pointer the user counts as away.
    package var idleMs: Int64?
    /// Whether notifications are counted.
    package var notifications: NotificationSight?
    /// Whether apps have cgroups of their own here that we may freeze.
    package var canFreeze: Bool?
    /// Why not, as the end of a sentence.
    package var freezer: Message?
    /// Whether the program that draws is there.
    package var canDraw: Bool?
    /// Whether screen readers can read what we show.
    package var tellsReaders: Bool?
    /// How far a shield goes, and how long each step takes.
    package var escalation: Escalation?
    package var escalateAfterMs: Int64 = 60_000
    /// What is never paused here: its name and why.
    package var never: [Message] = []
    /// Apps that the settings take out of it too.
    package var neverApps: [String] = []

    package init() {}
}

/// What an adapter may be able to do.
package enum DoctorAbility: String, Sendable, CaseIterable {
    case processes, frames, idle, covers, holdsInput, minimizes
}
