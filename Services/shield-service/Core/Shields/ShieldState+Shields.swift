import STContracts
import STDomain
import STEngine
import STPlatform

extension ShieldState {
    /// What is decided about a subject now, with what showing its shield needs to know.
    func verdict(of subject: ShieldSubject, member: String?, _ now: TimeReading) throws -> ShieldVerdict {
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
            category: category,
            isSite: decision.causes.map { !(ofApp ?? []).contains($0) },
            versions: decision.causes.map { stores[$0.store]?.version ?? 0 },
            facts: subject.app.flatMap { facts.facts(app: $0) },
            siteFacts: subject.domain.flatMap { facts.facts(domain: $0) }
        )
    }

    /// The second button of the system's own look.
    mutating func askForMore(
        _ record: ShieldRecord,
        language: String,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws -> ShieldPress.Reply {
        ShieldPress.Reply(response: .none)
    }
}
