import STContracts
import STDomain
import STEngine
import STFollowing
import STPlatform

extension ShieldState {
    /// What is decided about a subject now, with what showing its shield needs to know.
    func verdict(of subject: ShieldSubject, member: String?, _ now: TimeReading, zone: String) throws
        -> ShieldVerdict
    {
        let member = try household.member(member)
        let (category, decision) = decide(subject, member: member, wallMs: now.wallMs)
        // What does not shield the app by itself is about the site open in it.
        let ofApp = subject.app.map { app in
            decide(ShieldSubject(app: app), member: member, wallMs: now.wallMs).decision.causes
        }
        return ShieldVerdict(
            member: member,
            policy: policy.number,
            decision: ShieldDecisionBody(decision),
            causes: decision.causes.map(ShieldCauseBody.init),
            category: category,
            isSite: decision.causes.map { !(ofApp ?? []).contains($0) },
            versions: decision.causes.map { stores[$0.store]?.version ?? 0 },
            notes: decision.causes.map { note(of: $0.store) },
            waiting: requests.waiting(of: member).filter {
                // With nothing in it, it is for everything.
                $0.items.allSatisfy(ShieldTarget(subject).items.contains)
            }
            .max { $0.number < $1.number },
            facts: subject.app.flatMap { facts.facts(app: $0) },
            siteFacts: subject.domain.flatMap { facts.facts(domain: $0) },
            wallMs: now.wallMs,
            zone: zone
        )
    }

    /// The second button of the system's own look.
    mutating func askForMore(
        _ record: ShieldRecord,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws -> ShieldPress.Reply {
        var target = record.target
        // For the thing itself: whoever shields it may name its whole category.
        target.category = nil
        let request = RequestAdd.Request(
            member: record.shown.member,
            items: target.items,
            durationMs: Self.moreMs,
            shield: record.shown.shield
        )
        do {
            _ = try RequestHandlers.changing(&self, context, change) { book in
                try RequestAdding.add(request, context, to: &book)
            }
            return ShieldPress.Reply(response: .defer)
        } catch let problem as Problem where problem.code.hasPrefix("request.") {
            // The shield stays as it is, and says why.
            return ShieldPress.Reply(response: .none, problem: problem)
        }
    }

    /// What the system's own button asks for.
    static let moreMs: Int64 = 15 * 60_000
}
