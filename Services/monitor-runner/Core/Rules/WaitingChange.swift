package import STContracts
package import STPlatform

/// A change that makes a rule looser and waits for its moment.
package struct WaitingChange: WireBody, Codable, Equatable {
    package enum Kind: String, Codable, Sendable {
        case add, edit, remove, pause
    }

    package var kind: Kind
    /// The rule as it will be, of `edit`.
    package var spec: RuleSpec?
    /// Of `pause`: how long, from its moment on.
    package var forMs: Int64?
    package var askedMs: Int64
    package var moment: SteadyMoment

    package init(
        _ kind: Kind,
        spec: RuleSpec? = nil,
        forMs: Int64? = nil,
        askedMs: Int64,
        moment: SteadyMoment
    ) {
        self.kind = kind
        self.spec = spec
        self.forMs = forMs
        self.askedMs = askedMs
        self.moment = moment
    }

    /// Whether both come to the same, so that asking twice does not begin the wait anew.
    func isSame(as other: WaitingChange) -> Bool {
        kind == other.kind && spec == other.spec && forMs == other.forMs
    }
}

extension Rule {
    /// Whether it holds at all: something that will be allowed is not allowed yet.
    package var isInEffect: Bool { waiting?.kind != .add }
}

/// How long changes that loosen a member's rules wait.
package struct MemberDelay: WireBody, Codable, Equatable {
    package static let msMax: Int64 = 7 * RuleCheck.dayMs

    package var delayMs: Int64 = 0
    /// A shorter one is looser too, so it waits.
    package var nextMs: Int64?
    package var nextFrom: SteadyMoment?

    package init() {}

    package mutating func set(_ newMs: Int64, _ now: TimeReading, bootID: String) throws(Problem) {
        guard (0...Self.msMax).contains(newMs) else {
            throw Problem(
                "rule.bad_delay",
                "A change can be made to wait for at most \(TextFormat.duration(ms: Self.msMax)); 0 is no wait.",
                field: "/delay_ms"
            )
        }
        if newMs < delayMs {
            guard newMs != nextMs else { return }
            nextMs = newMs
            nextFrom = SteadyMoment(afterMs: delayMs, from: now, bootID: bootID)
        } else {
            delayMs = newMs
            nextMs = nil
            nextFrom = nil
        }
    }
}
