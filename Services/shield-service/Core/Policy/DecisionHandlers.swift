import STContracts
import STDomain
import STEngine
import STFollowing
import STPlatform

/// The routes of what is shielded and why.
enum DecisionHandlers {
    static let routes: [ServiceRoute<ShieldState>] = [
        .read(ShieldDecide.self) { state, request, context in
            let member = try state.household.member(request.member)
            let subject = try SubjectCheck.subject(request.subject)
            let found = state.decide(subject, member: member, wallMs: context.now.wallMs)
            return ShieldDecide.Reply(
                member: member,
                policy: state.policy.number,
                category: found.category,
                decision: ShieldDecisionBody(found.decision),
                lifts: state.lifts(found.decision)
            )
        },
        .query(ShieldExplain.self) { state, request, context, database in
            try Explaining.explain(request, state, context, database)
        },
        .read(ShieldAllowed.self) { state, request, _ in
            let member = try state.household.member(request.member)
            return ShieldAllowedSet.Reply(
                policy: state.policy.number,
                member: member,
                items: state.allowed[member] ?? []
            )
        },
        .write(ShieldAllowedSet.self) { state, request, context, change in
            try RulesOwn.checkAllowed(context)
            let member = try state.household.member(request.member)
            let items = try SubjectCheck.items(request.items)
            if items != state.allowed[member] ?? [] {
                try ChangeLog.allow(
                    items,
                    member: member,
                    ShieldAllowedSet.name,
                    cause: context.cause,
                    &state,
                    change
                )
            }
            return ShieldAllowedSet.Reply(policy: state.policy.number, member: member, items: items)
        },
    ]
}
