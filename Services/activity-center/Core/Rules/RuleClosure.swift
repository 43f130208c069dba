import STContracts
import STDomain
import STPlatform
import STRules

/// Updates the intervals in which a rule shuts its apps, after occurrences and edits.
///
/// Pure. Occurrences already take clock changes, zones and restarts into account. A rule keeps these intervals even if it
/// does not shield, so that `--then shield` takes effect immediately.
package enum RuleClosure {
    /// Delay of the check of a closed interval after its end, if no occurrence has ended it.
    static let grace = Duration.seconds(60)

    /// Returns the closed intervals after an occurrence, by activity. The days on which a window never opens have their own
    /// activity.
    static func after(_ occurrence: ActivityOccurrence, _ rule: Rule, delivery: String)
        -> [String: ClosedInterval]
    {
        var closed = rule.closed ?? [:]
        let activity = occurrence.activity
        let span = ClosedInterval(occurrence, delivery: delivery)
        let isSame = closed[activity]?.startMs == span.startMs
        // A break has its own beginning and end.
        if rule.spec.kind == .break { return closed }
        switch occurrence.occasion {
        case .intervalStarted:
            if rule.spec.kind == .limit {
                if !isSame { closed[activity] = nil }
            } else if isPlanned(occurrence, rule) {
                closed[activity] = span
            }
        case .thresholdReached:
            // If a person has raised the limit since, another occurrence follows when it is used up.
            guard rule.spec.kind == .limit, isReached(occurrence, rule) else { break }
            closed[activity] = span
        case .thresholdReturned:
            if rule.spec.kind == .limit, isSame { closed[activity] = nil }
        case .intervalEnded:
            // An interval that ends early starts again immediately, or an edit replaced it and has handled it.
            if isSame, occurrence.dueWallMs >= span.endMs { closed[activity] = nil }
        case .intervalWillStart, .intervalWillEnd, .thresholdWarning, .unknown: break
        }
        return closed
    }

    /// Returns the rule after an edit, with the intervals that stay closed until the usage has been counted again.
    static func afterEdit(_ rule: Rule, from old: RuleSpec, now: WallTime, zone: String) -> Rule {
        // A break that is under way continues.
        guard rule.ends == nil else { return rule }
        var rule = rule
        let plan = RulePlan.activities(of: rule)
        var closed: [String: ClosedInterval] = [:]
        for (activity, span) in rule.closed ?? [:] {
            let underWay = plan.lazy.compactMap { request in
                let found = request.schedule.interval(atOrAfter: now.ms, zone: zone)
                return found.flatMap { $0.contains(now.ms) ? (request, $0) : nil }
            }.first
            // The days of an edited rule may belong to another of its activities now.
            guard let (request, interval) = underWay, request.activity == activity || now.ms < span.endMs
            else { continue }
            if rule.spec.kind == .limit {
                let isStricter = RulePlan.amount(of: rule, request.activity).ms <= (span.thresholdMs ?? 0)
                guard isStricter, Set(rule.spec.targets) == Set(old.targets) else { continue }
            }
            var kept = span
            if request.schedule != Self.schedule(activity, rule: rule, spec: old) {
                kept.startMs = interval.startMs
                kept.endMs = interval.endMs
                kept.zone = interval.zone
            }
            closed[request.activity] = kept
        }
        rule.closed = closed.isEmpty ? nil : closed
        if rule.spec.kind == .goal,
            RuleStrictness(rule.spec).isStricter(than: RuleStrictness(old))
                || Set(rule.spec.targets) != Set(old.targets)
        {
            // The new activity counts again and finds out if the goal is met.
            rule.metStartMs = nil
        }
        return rule
    }

    /// Returns the rule with closed intervals that match the intervals under way, if a journey moved an end or an end was not
    /// applied.
    static func corrected(_ rule: Rule, _ ongoing: [String: IntervalSpan], now: WallTime) -> Rule {
        // A session and a break have their own end (`Rule.ends`). No interval determines it.
        guard rule.ends == nil else { return rule }
        var rule = rule
        for (activity, span) in rule.closed ?? [:] {
            if let interval = ongoing[activity], interval.startWallMs == span.startMs {
                rule.closed?[activity]?.endMs = max(interval.end, now).ms
                rule.closed?[activity]?.zone = interval.zone
            } else if span.endMs <= now.ms {
                rule.closed?[activity] = nil
            }
        }
        if rule.closed?.isEmpty == true { rule.closed = nil }
        return rule
    }

    /// Returns the interval that shuts the rule's apps at this moment, or nil while they are open.
    ///
    /// A goal's interval is over once the goal is met.
    static func current(_ rule: Rule) -> ClosedInterval? {
        (rule.closed ?? [:]).values.filter { span in
            rule.spec.kind != .goal || rule.metStartMs != span.startMs
        }.max { ($0.startMs, $0.delivery) < ($1.startMs, $1.delivery) }
    }

    /// Returns true if the usage in this occurrence reaches the present amount of the rule.
    static func isReached(_ occurrence: ActivityOccurrence, _ rule: Rule) -> Bool {
        guard occurrence.event == BuiltInRules.usedEvent,
            (occurrence.evidence.thresholdMs ?? 0) >= RulePlan.amount(of: rule, occurrence.activity).ms
        else { return false }
        func ids(_ kind: TokenKind) -> Set<String> {
            Set(rule.spec.targets.filter { $0.kind == kind }.map(\.id))
        }
        let target = BudgetTarget(
            apps: ids(.application),
            categories: ids(.category),
            domains: ids(.domain)
        )
        return occurrence.evidence.parts.allSatisfy {
            target.matches(app: $0.app, category: $0.category, domain: $0.domain)
        }
    }

    /// Returns true if the present version of the rule has this interval.
    private static func isPlanned(_ occurrence: ActivityOccurrence, _ rule: Rule) -> Bool {
        let request = RulePlan.activities(of: rule).first { $0.activity == occurrence.activity }
        let interval = request?.schedule.interval(
            atOrAfter: occurrence.dueWallMs,
            zone: occurrence.interval.zone
        )
        return interval?.contains(occurrence.dueWallMs) ?? false
    }

    private static func schedule(_ activity: String, rule: Rule, spec: RuleSpec) -> Schedule? {
        var old = rule
        old.spec = spec
        return RulePlan.activities(of: old).first { $0.activity == activity }?.schedule
    }
}
