import STContracts
import STEngine
import STPlatform

extension ShieldState {
    /// What is decided about a subject now.
    func verdict(of subject: ShieldSubject, member: String?, _ now: TimeReading) throws -> ShieldVerdict {
        ShieldVerdict(
            member: member ?? "",
            policy: 0,
            decision: ShieldDecisionBody(isShielded: false, causes: [], isAlwaysAllowed: false),
            category: "other",
            isSite: [],
            versions: []
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
