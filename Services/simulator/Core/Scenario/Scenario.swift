package import STContracts

/// A stretch of people's time as somebody wrote it down: who is there, what is watched, what they do, what must come of it.
package struct Scenario: Sendable, Equatable {
    package var name: String
    package var about: String?
    /// The zone of the device at the start.
    package var zone: String
    package var startWallMs: Int64
    /// Nil: with the last step.
    package var end: CivilMoment?
    /// What the owner of this account is called here: outside of a simulation it is the account's own name.
    package var owner: String
    package var members: [ScenarioMember] = []
    package var categories: [ScenarioCategory] = []
    package var apps: [ScenarioApp] = []
    package var rules: [ScenarioRule] = []
    package var activities: [ScenarioActivity] = []
    package var steps: [ScenarioStep] = []
    package var expectations: [ScenarioExpectation] = []
    /// The folder that relative paths begin at.
    package var folder: String

    /// A moment in a scenario, with the place where it was written.
    package struct CivilMoment: Sendable, Equatable {
        var text: CivilText
        var path: String
    }

    /// All but the owner, who is always there.
    var names: [String] { [owner] + members.map(\.name) }
}

/// Another person of the household.
package struct ScenarioMember: Sendable, Equatable {
    package var name: String
    package var role: MemberRole
}

/// An app or a site that belongs somewhere else than our list says.
package struct ScenarioCategory: Sendable, Equatable {
    package var subject: String
    package var category: String
    package var path: String
}

/// An app bundle to be installed, and who lets it do what it asks for.
package struct ScenarioApp: Sendable, Equatable {
    /// The folder with manifest.json.
    package var bundle: String
    /// Where executables are looked for that are not in the bundle.
    package var programs: String?
    package var permittedBy: [String]
    package var path: String
}
