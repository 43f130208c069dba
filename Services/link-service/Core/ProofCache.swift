/// Proofs of passcodes. The questions of one command share a proof, so that a wrong passcode counts as one failed attempt.
package struct ProofCache<Outcome> {
    private struct Proof {
        var member: String
        var outcome: Outcome
        var untilMs: Int64
    }

    /// Covers the consecutive questions of one command.
    private static var trustMs: Int64 { 20_000 }
    /// Covers the other questions of a command whose passcode was wrong.
    private static var failureMs: Int64 { 2_000 }

    private var proofs: [String: Proof] = [:]

    package init() {}

    /// Removes expired proofs, and returns the one with this key.
    package mutating func outcome(of key: String, atMs nowMs: Int64) -> Outcome? {
        proofs = proofs.filter { $0.value.untilMs > nowMs }
        return proofs[key]?.outcome
    }

    package mutating func insert(_ outcome: Outcome, of key: String, member: String, atMs nowMs: Int64) {
        proofs[key] = Proof(member: member, outcome: outcome, untilMs: nowMs + Self.trustMs)
    }

    /// Removes the person's other proofs: auth-service checks every passcode again after a wrong one, because the cache must not
    /// reveal which passcode is right while auth-service delays attempts.
    package mutating func fail(_ key: String, member: String, atMs nowMs: Int64) {
        proofs = proofs.filter { $0.key == key || $0.value.member != member }
        proofs[key]?.untilMs = nowMs + Self.failureMs
    }
}
