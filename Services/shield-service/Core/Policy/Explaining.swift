import STContracts
import STDomain
import STEngine
import STFollowing
import STPlatform
import STStore

/// Why something is or was shielded, or not: from what is written down, and from nothing else.
enum Explaining {
    /// Changes of one store that are looked through for the one that began it.
    private static let stepsMax = 500

    static func explain(
        _ request: ShieldExplain.Request,
        _ state: ShieldState,
        _ context: RequestContext,
        _ database: Database
    ) throws -> ShieldExplain.Reply {
        let member = try state.household.member(request.member)
        let subject = try SubjectCheck.subject(request.subject, mayBeCategory: true)
        let thing = state.facts.thing(subject)
        let wallMs = request.wallMs ?? context.now.wallMs
        var reply = ShieldExplain.Reply(
            member: member,
            policy: 0,
            wallMs: wallMs,
            category: thing.domainCategory ?? thing.category ?? Category.other.rawValue,
            decision: ShieldDecisionBody(.allowed),
            causes: [],
            lifts: [],
            sinceWallMs: state.changes.sinceWallMs
        )
        reply.shown = try ShieldHistory.last(subject, of: member, until: wallMs, database)
        // Of now it can always be said, also where the clock was ahead when changes were first written down.
        guard request.wallMs == nil || wallMs >= state.changes.sinceWallMs else {
            let since = RFC3339.text(wallMs: state.changes.sinceWallMs)
            reply.lifts = ["Nothing can be said of that time: changes are written down since \(since)."]
            return reply
        }
        let policy =
            request.wallMs == nil ? state.policy.number : try ChangeTable.last(at: wallMs, database) ?? 0
        let past = try PastPolicy(ChangeTable.standing(member: member, until: policy, database))
        let decision = past.book.decide(thing, member: member, wallMs: wallMs)
        reply.policy = policy
        reply.decision = ShieldDecisionBody(decision)
        reply.lifts = opening(decision, request, state, context) + state.lifts(decision)
        if request.wallMs != nil, wallMs < context.now.wallMs {
            reply.lifts.append(
                "What it counts as (\(reply.category)) is what it counts as today, not what it was then."
            )
        }
        if case .grant(let request) = decision.exemption { reply.grant = past.grants[request] }
        var began: [ShieldCause: StoreChange] = [:]
        let named = Set(reply.decision.causes)
        for cause in decision.causes where began[cause] == nil && named.contains(ShieldCauseBody(cause)) {
            let subject = past.subjects[cause.store] ?? ""
            began[cause] = try beginning(of: cause, subject, thing, until: policy, database)
        }
        let changes = Dictionary(uniqueKeysWithValues: began.map { (ShieldCauseBody($0.key), $0.value) })
        reply.causes = reply.decision.causes.compactMap { cause in
            changes[cause].map { ExplainedCause(cause: cause, change: $0) }
        }
        return reply
    }

    /// Of now alone: what rules say of themselves is not kept for the past.
    private static func opening(
        _ decision: ShieldDecision,
        _ request: ShieldExplain.Request,
        _ state: ShieldState,
        _ context: RequestContext
    ) -> [String] {
        let notes = decision.causes.map { state.note(of: $0.store) }
        guard request.wallMs == nil, decision.isShielded, let opensMs = ShieldNote.opensMs(notes),
            let words = OpeningWords.of(
                opensMs,
                fromMs: context.now.wallMs,
                zone: context.zone,
                in: .english
            )
        else { return [] }
        return ["By itself it does not open before \(words)."]
    }

    /// The change since which the store shields it in this way without a break.
    private static func beginning(
        of cause: ShieldCause,
        _ subject: String,
        _ thing: ShieldThing,
        until policy: Int64,
        _ database: Database
    ) throws -> StoreChange? {
        var found: StoreChange?
        try ChangeTable.past(
            subject,
            member: cause.store.member,
            until: policy,
            limit: stepsMax,
            database
        ) { row in
            let word = try PolicyStore.decodedBody(row.body)
            var rules = ShieldRules()
            if word.isInForce { rules.set(cause.store, word.shields.shields) }
            guard rules.causes(of: thing).causes.contains(cause) else { return false }
            found = StoreChange(
                policy: row.policy,
                app: word.app,
                member: word.member,
                store: word.store,
                route: row.route,
                wallMs: row.wallMs,
                cause: row.cause,
                isInForce: word.isInForce,
                reason: word.reason
            )
            return true
        }
        return found
    }
}
