package import STContracts

/// What the doctor knows beside the screen; nil: nobody has looked.
package struct DoctorFacts: Sendable, Equatable {
    /// What the adapter at work says it can do; nil when none is.
    package var abilities: [DoctorAbility: Bool]?
    /// How many programs there are to choose from.
    package var programs: Int?
    /// Which session of logind this is; nil: logind does not know us.
    package var session: String?
    package var isLogindReachable: Bool?
    package var isSessionBusReachable: Bool?
    /// Programs that tell when they lock the screen.
    package var screenSavers: [String] = []
    /// After how many milliseconds without a key or a pointer nobody is there.
    package var idleMs: Int64?
    /// Why notifications are not counted; empty: they are.
    package var notificationsRefused: String?
    /// Whether apps have cgroups of their own here that we may freeze; the sentence says why not.
    package var freezer: String?
    package var canFreeze: Bool?
    /// Whether the program that draws is there.
    package var canDraw: Bool?
    /// Whether what we show is told to screen readers.
    package var tellsReaders: Bool?
    /// How far a shield goes, and how long each step takes.
    package var escalation: Escalation?
    package var escalateAfterMs: Int64?
    /// What is never paused here: its name and why.
    package var never: [String] = []
    /// Apps that the settings take out of it too.
    package var neverApps: [String] = []

    package init() {}
}
