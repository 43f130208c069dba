package import STContracts

/// Whether a change makes a rule easier on somebody, and therefore may have to wait.
package enum RuleLoosening {
    /// A change that is looser in one thing and stricter in another is looser: it waits as a whole.
    package static func isLooser(from old: RuleSpec, to new: RuleSpec) -> Bool {
        !RuleDemand(new).isAtLeastAsStrict(as: RuleDemand(old))
    }

    /// Without a rule there is nothing to keep, unless it was one that allows.
    package static func isRemovalLooser(_ spec: RuleSpec) -> Bool { spec.kind != .allow }

    /// More is allowed, at once or whenever it is used.
    package static func isAdditionLooser(_ spec: RuleSpec) -> Bool { spec.kind == .allow }

    private static func pausedMs(_ rule: Rule, _ nowMs: Int64) -> Int64 {
        rule.isPaused(nowMs: nowMs) ? rule.pausedUntilMs ?? nowMs : nowMs
    }

    /// A pause until later than now, or than the one under way.
    package static func isPauseLooser(_ rule: Rule, untilMs: Int64, nowMs: Int64) -> Bool {
        rule.spec.kind != .allow && untilMs > pausedMs(rule, nowMs)
    }
}
