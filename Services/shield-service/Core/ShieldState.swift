package import STContracts
package import STDomain
package import STFollowing
import STPlatform

/// What shield-service knows, one book for each topic.
package struct ShieldState: Sendable, Equatable {
    package var household = Household()
    package var apps = AppBook()
    package var facts = FactBook()
    /// Every store there is, in force or not.
    package var stores: [StoreName: NamedStore] = [:]
    /// Of all of them together.
    package var storeBytes = 0
    /// What is in force, and the number of the last change.
    package var policy = PolicyBook()
    /// What is always allowed, by member, as it was said.
    package var allowed: [String: [TokenItem]] = [:]
    package var changes = ChangeLogSize()
    package var requests = RequestBook()

    package init() {}

    /// Whether and why something is shielded now, with the category that it counts as.
    package func decide(_ subject: ShieldSubject, member: String, wallMs: Int64) -> (
        category: String, decision: ShieldDecision
    ) {
        let thing = facts.thing(subject)
        let decision = policy.decide(thing, member: member, wallMs: wallMs)
        return (thing.domainCategory ?? thing.category ?? Category.other.rawValue, decision)
    }

    /// What would lift a shield, or why there is none.
    package func lifts(_ decision: ShieldDecision) -> [String] {
        ShieldLifts.sentences(
            decision,
            rules: AppBook.rules,
            named: { apps.installed[$0]?.name ?? $0 },
            rule: { note(of: $0)?.rule ?? $0.store }
        )
    }

    /// What the rule of a store has to say; nil for a store of an app.
    func note(of store: StoreName) -> ShieldNote? {
        guard case .note(let note)? = stores[store]?.values[.note] else { return nil }
        return note
    }
}
