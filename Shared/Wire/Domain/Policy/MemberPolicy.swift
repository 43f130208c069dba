/// What is in force for one member.
package struct MemberPolicy: Sendable, Equatable {
    package var rules = ShieldRules()
    /// Never shielded, whatever the stores say.
    package var allowed = ThingSet()
    /// By request.
    package var grants: [String: TimeGrant] = [:]

    package init() {}

    /// What is always allowed and what was granted count after everything else.
    ///
    /// The app and its site are judged apart: a browser that is always allowed opens no site that is shielded.
    package func decide(_ thing: ShieldThing, wallMs: Int64) -> ShieldDecision {
        let found = rules.causes(of: thing)
        guard !found.causes.isEmpty else { return .allowed }
        if allowed.isEmpty && grants.isEmpty { return ShieldDecision(isShielded: true, causes: found.causes) }
        var exemption: ShieldDecision.Exemption?
        if found.ofApp {
            guard let lift = liftOfApp(thing, wallMs) else {
                return ShieldDecision(isShielded: true, causes: found.causes)
            }
            exemption = lift
        }
        if found.ofSite {
            guard let lift = liftOfSite(thing, wallMs) else {
                return ShieldDecision(isShielded: true, causes: found.causes)
            }
            // The one that ends is the one to know of.
            if exemption == nil || exemption == .always { exemption = lift }
        }
        return ShieldDecision(isShielded: false, causes: found.causes, exemption: exemption)
    }

    private func liftOfApp(_ thing: ShieldThing, _ wallMs: Int64) -> ShieldDecision.Exemption? {
        if allowed.holds(app: thing.app, category: thing.category) { return .always }
        return grant(wallMs) { $0.holds(app: thing.app, category: thing.category) }
    }

    private func liftOfSite(_ thing: ShieldThing, _ wallMs: Int64) -> ShieldDecision.Exemption? {
        if allowed.holds(domain: thing.domain, category: thing.domainCategory) { return .always }
        return grant(wallMs) { $0.holds(domain: thing.domain, category: thing.domainCategory) }
    }

    /// Of several the one that lasts longest.
    private func grant(_ wallMs: Int64, _ holds: (TimeGrant) -> Bool) -> ShieldDecision.Exemption? {
        grants.values.filter { $0.isOn(at: wallMs) && holds($0) }
            .max { ($0.untilMs ?? .max, $1.request) < ($1.untilMs ?? .max, $0.request) }
            .map { .grant($0.request) }
    }
}
