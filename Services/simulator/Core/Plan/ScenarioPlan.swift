import STContracts
import STPlatform

/// A scenario as moments: what is seen of whom, and what happens, in milliseconds since its start.
struct ScenarioPlan: Sendable, Equatable {
    /// From now on this is in front of a member.
    struct Sight: Sendable, Equatable {
        var atMs: Int64
        var member: String
        var presence: Presence
        var app: String?
        var site: String?
    }

    /// Something for which the clock stops.
    struct Deed: Sendable, Equatable {
        var atMs: Int64
        var step: ScenarioStep
        /// What the clock shows then if nobody has set it: for those that name a time.
        var zone: String
    }

    /// Two years: longer ones are told in parts.
    static let lengthMsMax: Int64 = 2 * 366 * 86_400_000
    static let sightsMax = 1_000_000

    var sights: [Sight] = []
    var deeds: [Deed] = []
    var endMs: Int64 = 0

    static func make(_ scenario: Scenario) throws -> ScenarioPlan {
        var planner = try ScenarioPlanner(scenario)
        return try planner.plan()
    }
}
