package import STContracts
package import STDomain
import STFollowing
package import STPlatform

/// What is shielded for whom, as far as other services said: enough to decide without asking, also while none answers.
package struct ShieldPolicy: Sendable, Equatable {
    package internal(set) var book: PolicyBook
    var facts: FactBook
    var household: Household

    package init() { self.init(book: PolicyBook(), facts: FactBook(), household: Household()) }

    package func isChild(_ member: String) -> Bool { household.role(of: member) == .child }

    init(book: PolicyBook, facts: FactBook, household: Household) {
        self.book = book
        self.facts = facts
        self.household = household
    }

    /// As `shield.decide` of shield-service does.
    package func decide(_ subject: ShieldSubject, member: String, wallMs: Int64) -> ShieldDecision {
        book.decide(facts.thing(subject), member: member, wallMs: wallMs)
    }

    /// When the shield comes over an app in front, in boot time: more time that was granted holds off the end of a budget.
    package func shieldBootMs(
        _ app: String,
        member: String,
        crossingBootMs: Int64?,
        _ now: TimeReading
    ) -> Int64? {
        let subject = ShieldSubject(app: app)
        guard
            let untilMs = book.members[member]?.grantedUntilMs(facts.thing(subject), wallMs: now.wallMs)
        else { return crossingBootMs }
        let endBootMs = now.bootMs + untilMs - now.wallMs
        let isShieldedThen = decide(subject, member: member, wallMs: untilMs).isShielded
        return isShieldedThen || crossingBootMs.map { $0 <= endBootMs } ?? false ? endBootMs : crossingBootMs
    }

    /// Whose time this screen counts for; nil while the household is not known.
    package var member: String? { household.owner }

    /// Whether a person beside this member could grant more time.
    package func hasGuardian(for member: String) -> Bool {
        household.role(of: member) == .child || household.hasGuardian(besides: member)
    }
}

/// What is decided about one app, as far as its shield on the screen goes.
package struct ShieldWord: Sendable, Equatable {
    package var isShielded: Bool
    /// The app whose store came first: the look may be its own.
    package var by: String?
    package var store: String?
    /// The change of policy up to which this is known: the words of a look may be of any store that shields the app.
    package var policy: Int64

    package static let allowed = ShieldWord(isShielded: false)

    package init(isShielded: Bool, by: String? = nil, store: String? = nil, policy: Int64 = 0) {
        self.isShielded = isShielded
        self.by = by
        self.store = store
        self.policy = policy
    }

    package init(_ decision: ShieldDecision, policy number: Int64) {
        let first = decision.isShielded ? decision.causes.first?.store : nil
        self.init(
            isShielded: decision.isShielded,
            by: first?.app,
            store: first?.store,
            // An app that may be used has no look that a change could make wrong.
            policy: decision.isShielded ? number : 0
        )
    }
}
