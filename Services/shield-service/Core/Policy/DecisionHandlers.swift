import STContracts
import STDomain
import STEngine
import STPlatform

/// The routes of what is shielded and why.
enum DecisionHandlers {
    static let routes: [ServiceRoute<ShieldState>] = [
        .read(ShieldDecide.self) { state, request, context in
            let member = try state.household.member(request.member)
            let found = state.decide(request.subject, member: member, wallMs: context.now.wallMs)
            return ShieldDecide.Reply(
                member: member,
                policy: state.policy.number,
                category: found.category,
                decision: ShieldDecisionBody(found.decision),
                lifts: []
            )
        }
    ]
}
