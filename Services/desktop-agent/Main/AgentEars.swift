import STDesktopCore
import STEngine
import STPlatform

/// What is there from the start, before anybody has looked at a screen: what the service hears and answers.
struct AgentEars: Sendable {
    let facts = DesktopFacts()
    let board = ShieldBoard()
    let wire = PolicyWire()
    let line = PanelLine()

    func definition(language: String) -> ServiceDefinition<DesktopState> {
        DesktopService.definition(
            facts: facts,
            language: language,
            shields: board,
            panels: PanelFollowing { [line] in line.hear($0) },
            heard: { [wire, line] in
                wire.put($0)
                line.policyChanged()
            }
        )
    }
}
