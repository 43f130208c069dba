import STContracts
import STDomain

/// What callbacks and edits do to the stretches in which a rule shuts something.
///
/// Pure, and told by activity-center alone: it knows of clocks that are set, zones and restarts, so what it says begins
/// and ends is all there is to follow. What a rule does when it is told is kept whether or not it shields, so that
/// `--then shield` works at once.
package enum RuleClosing {
    /// So long after its end a stretch that nobody has ended is asked about.
    static let graceMs: Int64 = 60_000

    /// After a callback; by activity, because the days on which a window never opens are one of their own.
    static func after(_ occurrence: ActivityOccurrence, _ rule: Rule, delivery: String)
        -> [String: ClosedSpan]
    {
        var closed = rule.closed ?? [:]
        let activity = occurrence.activity
        let span = ClosedSpan(occurrence, delivery: delivery)
        let isSame = closed[activity]?.startMs == span.startMs
        switch occurrence.occasion {
        case .intervalStarted:
            if rule.spec.kind == .limit {
                if !isSame { closed[activity] = nil }
            } else if isPlanned(occurrence, rule) {
                closed[activity] = span
            }
        case .thresholdReached:
            // A limit that was raised meanwhile is told again when it is really used up.
            guard rule.spec.kind == .limit, isReached(occurrence, rule) else { break }
            closed[activity] = span
        case .intervalEnded:
            // One that ends before its time begins again at once, or was replaced, and then an edit has seen to it.
            if isSame, occurrence.dueWallMs >= span.endMs { closed[activity] = nil }
        case .intervalWillStart, .intervalWillEnd, .thresholdWarning, .unknown: break
        }
        return closed
    }

    /// After an edit: what goes on being shut until activity-center has counted and told anew.
    static func afterEdit(_ rule: Rule, from old: RuleSpec, nowMs: Int64, zone: String) -> Rule {
        var rule = rule
        let plan = RulePlan.activities(of: rule)
        var closed: [String: ClosedSpan] = [:]
        for (activity, span) in rule.closed ?? [:] {
            guard let request = plan.first(where: { $0.activity == activity }),
                let now = request.schedule.interval(atOrAfter: nowMs, zone: zone), now.contains(nowMs)
            else { continue }
            if rule.spec.kind == .limit {
                let isStricter = (rule.spec.durationMs ?? 0) <= (span.thresholdMs ?? 0)
                guard isStricter, Set(rule.spec.targets) == Set(old.targets) else { continue }
            }
            var kept = span
            if request.schedule != Self.schedule(activity, rule, old) {
                kept.startMs = now.startMs
                kept.endMs = now.endMs
                kept.zone = now.zone
            }
            closed[activity] = kept
        }
        rule.closed = closed.isEmpty ? nil : closed
        if rule.spec.kind == .goal,
            (rule.spec.durationMs ?? 0) > (old.durationMs ?? 0) || Set(rule.spec.targets) != Set(old.targets)
        {
            // Whether so much is reached already is counted anew.
            rule.metStartMs = nil
        }
        return rule
    }

    /// What activity-center says goes on: a journey moved its end, or the callback of its end was lost or comes later.
    static func checked(_ rule: Rule, _ ongoing: [String: IntervalSpan], nowMs: Int64) -> Rule {
        var rule = rule
        for (activity, span) in rule.closed ?? [:] {
            if let interval = ongoing[activity], interval.startWallMs == span.startMs {
                rule.closed?[activity]?.endMs = max(interval.endWallMs, nowMs)
                rule.closed?[activity]?.zone = interval.zone
            } else if span.endMs <= nowMs {
                rule.closed?[activity] = nil
            }
        }
        if rule.closed?.isEmpty == true { rule.closed = nil }
        return rule
    }

    /// The callback that shuts what the rule is about at this moment; nil while it is open.
    ///
    /// A stretch of a goal is over once the goal is met.
    static func current(_ rule: Rule) -> ClosedSpan? {
        (rule.closed ?? [:]).values.filter { span in
            rule.spec.kind != .goal || rule.metStartMs != span.startMs
        }.max { ($0.startMs, $0.delivery) < ($1.startMs, $1.delivery) }
    }

    /// Whether as much was used of what the rule as it is now is about: a callback may come late, after an edit.
    static func isReached(_ occurrence: ActivityOccurrence, _ rule: Rule) -> Bool {
        guard occurrence.event == BuiltInRules.usedEvent,
            (occurrence.evidence.thresholdMs ?? 0) >= (rule.spec.durationMs ?? 0)
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

    /// Whether the rule as it is now has this interval: a callback may come late, after an edit.
    private static func isPlanned(_ occurrence: ActivityOccurrence, _ rule: Rule) -> Bool {
        let request = RulePlan.activities(of: rule).first { $0.activity == occurrence.activity }
        let interval = request?.schedule.interval(
            atOrAfter: occurrence.dueWallMs,
            zone: occurrence.interval.zone
        )
        return interval?.contains(occurrence.dueWallMs) ?? false
    }

    private static func schedule(_ activity: String, _ rule: Rule, _ spec: RuleSpec) -> Schedule? {
        var old = rule
        old.spec = spec
        return RulePlan.activities(of: old).first { $0.activity == activity }?.schedule
    }
}
