package import STContracts

/// When the next limit that ends in a shield is used up, from what activity-center says.
package enum BudgetReading {
    /// Nil: what is in front uses up none.
    package static func crossing(rules: [RuleView], _ explained: [ExplainedActivity]) -> Int64? {
        explained.compactMap { activity in
            guard activity.isOngoing, let rule = rules.first(where: { $0.id == activity.activity.activity })
            else {
                return nil
            }
            return activity.events.compactMap { crossing($0, warnMs: rule.rule.warnMs) }.min()
        }.min()
    }

    /// What comes next may be the warning; the end is so much later.
    private static func crossing(_ event: ExplainEvent, warnMs: Int64?) -> Int64? {
        guard event.event == BuiltInRules.usedEvent, !event.reached, let next = event.nextCrossingBootMs
        else {
            return nil
        }
        guard !event.warned, let warnMs, warnMs > 0, warnMs < event.thresholdMs else { return next }
        // Past the moment of a warning that was never due, the end itself is next.
        return next + min(warnMs, event.leftMs)
    }
}
