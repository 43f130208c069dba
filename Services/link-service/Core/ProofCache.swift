package import STPlatform

/// Proofs of passcodes. The questions of one command share a proof, so that a wrong passcode counts as one failed attempt.
package struct ProofCache<Outcome> {
    private struct Proof {
        var member: String
        var outcome: Outcome
        var until: BootTime
    }

    /// Covers the consecutive questions of one command.
    private static var trust: Duration { .seconds(20) }
    /// Covers the other questions of a command whose passcode was wrong.
    private static var failureTrust: Duration { .seconds(2) }

    private var proofs: [String: Proof] = [:]

    package init() {}

    /// Removes expired proofs, and returns the one with this key.
    package mutating func outcome(of key: String, at now: BootTime) -> Outcome? {
        proofs = proofs.filter { $0.value.until > now }
        return proofs[key]?.outcome
    }

    package mutating func insert(_ outcome: Outcome, of key: String, member: String, at now: BootTime) {
        proofs[key] = Proof(member: member, outcome: outcome, until: now + Self.trust)
    }

    /// Removes the person's other proofs: auth-service checks every passcode again after a wrong one, because the cache must not
    /// reveal which passcode is right while auth-service delays attempts.
    package mutating func fail(_ key: String, member: String, at now: BootTime) {
        proofs = proofs.filter { $0.key == key || $0.value.member != member }
        proofs[key]?.until = now + Self.failureTrust
    }
}
