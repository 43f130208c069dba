/// The app whose activities those of a scenario are that name no app: its extension does nothing.
enum SimulatedApp {
    static let id = "simulated.app"

    /// Who has such an activity.
    static func users(of scenario: Scenario) -> [String] {
        var users: [String] = []
        func add(_ activity: ScenarioActivity, _ member: String?) {
            let name = activity.member ?? member ?? scenario.owner
            if activity.app == nil, !users.contains(name) { users.append(name) }
        }
        for activity in scenario.activities { add(activity, nil) }
        func look(_ steps: [ScenarioStep]) {
            for step in steps {
                if case .start(let activity) = step.action { add(activity, step.member) }
                if case .repeated(_, _, let inner) = step.action { look(inner) }
            }
        }
        look(scenario.steps)
        return users
    }
}
