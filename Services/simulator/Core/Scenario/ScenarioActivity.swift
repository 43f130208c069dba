package import STContracts
package import STDomain

/// Something that is watched: when, and how much use of what.
package struct ScenarioActivity: Sendable, Equatable {
    package var name: String
    /// Nil: nobody's; what happens is told, and no extension is called.
    package var app: String?
    package var member: String?
    package var schedule: Schedule
    package var events: [ActivityEventSpec]
    package var mode: ScheduleMode?
    package var path: String
}
