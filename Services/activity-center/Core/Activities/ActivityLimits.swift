package import STContracts
package import STDomain

/// How much may be watched: Apple's numbers, unless the configuration says otherwise.
package struct ActivityLimits: Sendable, Equatable {
    /// Of one app and its extensions together.
    package var activitiesPerApp = 20
    package var schedule = ScheduleLimits()
    package var mode = ScheduleMode.wallClock
    /// As on a phone, time looking at a shield counts as use of what it stands before.
    package var countsShielded = false

    /// Our own rules are one app, and people may have many.
    static let rulesMax = 200
    static let eventsPerActivityMax = 200
    static let targetsPerEventMax = 1_000
    static let nameBytesMax = 256
    /// All activities of all apps, so that looking through them stays quick.
    static let activitiesMax = 2_000

    /// The app that people's own rules are registered as.
    package static let rulesApp = "screentime.rules"

    package init() {}

    func activitiesMax(of app: String) -> Int { app == Self.rulesApp ? Self.rulesMax : activitiesPerApp }
}
