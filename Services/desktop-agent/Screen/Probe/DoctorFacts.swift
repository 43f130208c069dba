package import STContracts
package import STPlatform

/// Facts for the doctor, in addition to the screen. `nil` values were not determined.
package struct DoctorFacts: Sendable, Equatable {
    /// The abilities that the running adapter reports. `nil` if none runs.
    package var abilities: [DoctorAbility: Bool]?
    /// The number of programs that a person can choose.
    package var programs: Int?
    /// Browsers with windows, by name, with the version of the extension that reports the foreground site. `nil` without one.
    package var browsers: [String: String?] = [:]
    /// The ID of the logind session. `nil` if logind has no session of this user.
    package var session: String?
    package var isLogindReachable: Bool?
    package var isSessionBusReachable: Bool?
    /// Programs that report when they lock the screen.
    package var screenSavers: [String] = []
    /// Time without user input after which the user counts as away.
    package var idleAfter: Duration?
    /// The state of counting notifications.
    package var notifications: NotificationCountStatus?
    /// True if apps have cgroups of their own that this account can freeze.
    package var canFreeze: Bool?
    /// The reason that cgroups cannot be frozen, as the end of a sentence.
    package var freezer: Message?
    /// True if the program that draws shields is installed.
    package var canDraw: Bool?
    /// True if screen readers can read shields.
    package var supportsScreenReaders: Bool?
    /// The last step of a shield, and the duration of each step.
    package var escalation: Escalation?
    package var escalateAfter = Duration.seconds(60)
    /// Programs that are never paused here, with the reasons.
    package var exemptionReasons: [Message] = []
    /// Apps that the settings exclude from pausing.
    package var exemptApps: [String] = []

    package init() {}
}

/// An ability of an adapter.
package enum DoctorAbility: String, Sendable, CaseIterable {
    case processes, frames, idle, covers, holdsInput, minimizes
}
