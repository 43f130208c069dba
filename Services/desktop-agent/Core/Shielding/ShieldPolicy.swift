package import STContracts
package import STDomain
import STFollowing
package import STPlatform

/// The decisions about shields, from the data of other services. The agent decides with it without a request, also while no
/// service answers.
package struct ShieldPolicy: Sendable, Equatable {
    package internal(set) var policies: Policies
    var facts: SubjectFactIndex
    var household: Household

    package init() { self.init(book: Policies(), facts: SubjectFactIndex(), household: Household()) }

    package func isChild(_ member: String) -> Bool { household.role(of: member) == .child }

    init(book: Policies, facts: SubjectFactIndex, household: Household) {
        self.policies = book
        self.facts = facts
        self.household = household
    }

    /// Decides in the same way as `shield.decide` of shield-service.
    package func decide(_ subject: ShieldSubject, member: String, wall: WallTime) -> ShieldDecision {
        policies.decide(facts.classify(subject), member: member, wallMs: wall.ms)
    }

    /// Returns the boot time at which the foreground app gets its shield. Granted time postpones the end of a budget.
    package func shieldTime(
        _ app: String,
        member: String,
        crossing: BootTime?,
        _ now: TimeReading
    ) -> BootTime? {
        let subject = ShieldSubject(app: app)
        guard
            let untilMs = policies.members[member]?.grantedUntilMs(
                facts.classify(subject),
                wallMs: now.wallMs
            )
        else { return crossing }
        let until = WallTime(ms: untilMs)
        let end = now.boot + (until - now.wall)
        let isShieldedThen = decide(subject, member: member, wall: until).isShielded
        return isShieldedThen || crossing.map { $0 <= end } ?? false ? end : crossing
    }

    /// The member whose usage this screen records. `nil` while the household is unknown.
    package var member: String? { household.owner }

    /// Returns true if another person could grant more time to this member.
    package func hasGuardian(for member: String) -> Bool {
        household.role(of: member) == .child || household.hasGuardian(besides: member)
    }
}

/// The decision about one app, as far as its shield on the screen needs it.
package struct ShieldStatus: Sendable, Equatable {
    package var isShielded: Bool
    /// The app whose store shields this app first. It may supply the look.
    package var app: String?
    package var store: String?
    /// The number of the last policy change that this decision includes. The texts of a look may depend on every store that
    /// shields the app.
    package var policy: Int64

    package static let allowed = ShieldStatus(isShielded: false)

    package init(isShielded: Bool, by: String? = nil, store: String? = nil, policy: Int64 = 0) {
        self.isShielded = isShielded
        self.app = by
        self.store = store
        self.policy = policy
    }

    package init(_ decision: ShieldDecision, policy number: Int64) {
        let first = decision.isShielded ? decision.causes.first?.store : nil
        self.init(
            isShielded: decision.isShielded,
            by: first?.app,
            store: first?.store,
            // An app that may be used has no look, so no policy change is relevant.
            policy: decision.isShielded ? number : 0
        )
    }
}
