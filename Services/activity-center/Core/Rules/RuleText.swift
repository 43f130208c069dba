import STContracts
import STDomain
import STEngine
import STPlatform

/// A rule as replies show it.
enum RuleText {
    static func view(_ rule: Rule, _ book: RuleBook, _ context: RequestContext) -> RuleView {
        let nowMs = context.now.wallMs
        let preview = RulePlan.span(rule.spec).map {
            SchedulePreview($0, count: 1, fromMs: nowMs, zone: context.zone)
        }
        let session = rule.ends.map {
            IntervalSpan(
                startWallMs: rule.closed?[rule.id]?.startMs ?? rule.addedMs,
                endWallMs: $0.wallMs,
                zone: context.zone
            )
        }
        let moments = MomentWords(fromMs: nowMs, zone: context.zone)
        let isOngoing = preview?.intervals.first?.contains(nowMs) ?? false
        let isPaused = rule.isPaused(nowMs: nowMs)
        return RuleView(
            id: rule.id,
            rule: rule.spec,
            addedAt: RFC3339.text(wallMs: rule.addedMs),
            pausedUntil: isPaused ? rule.pausedUntilMs.map { RFC3339.text(wallMs: $0) } : nil,
            interval: session
                ?? preview?.intervals.first.map {
                    IntervalSpan(startWallMs: $0.startMs, endWallMs: $0.endMs, zone: $0.zone)
                },
            when: session.map { "now: until " + moments.text($0.endWallMs) }
                ?? (rule.spec.kind == .break ? nil : preview)?.lines.first.map {
                    (isOngoing ? "now: " : "next: ") + $0
                },
            isWatched: book.isWatched(rule),
            problem: (book.problem(of: rule) ?? book.shieldProblem(of: rule)).map {
                "\($0.code): \($0.message)"
            },
            isShielding: book.isShielding(rule),
            pending: pending(rule)
        )
    }

    /// `limit, chess, 1h, Mon Tue, shield`.
    static func summary(_ spec: RuleSpec) -> String {
        let parts = [
            spec.kind.rawValue, spec.kind == .break ? "" : things(spec.targets), amount(spec),
            spec.window.map(RuleWords.window) ?? "", spec.days.map { days($0) } ?? "",
            spec.except.map { "except " + RuleSpec.words(ofDates: $0) } ?? "",
            spec.opens.map { (spec.kind == .downtime ? "only " : "opens ") + things($0) } ?? "",
            spec.then == .shield && spec.kind != .allow ? "shield" : "",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// What a person may not have thought of; shown when a rule is made.
    static func notes(_ rule: Rule) -> [ActivityNote] {
        let kinds = Set(rule.spec.targets.map(\.kind))
        guard rule.spec.kind == .session, kinds == [.domain] else { return [] }
        return [
            ActivityNote(
                code: "rule.browser_shielded",
                text: "The browser itself is shielded, and the site with it. Name the browser as well."
            )
        ]
    }

    // MARK: - A change that waits

    private static func pending(_ rule: Rule) -> PendingChange? {
        rule.waiting.map { change in
            PendingChange(
                change: change.kind.rawValue,
                text: text(change, rule.spec),
                askedAt: RFC3339.text(wallMs: change.askedMs),
                takesEffectWallMs: change.moment.wallMs
            )
        }
    }

    private static func text(_ change: WaitingChange, _ old: RuleSpec) -> String {
        switch change.kind {
        case .add: return "it takes effect"
        case .remove: return "it is removed"
        case .pause: return "it is paused for \(TextFormat.duration(ms: change.forMs ?? 0))"
        case .edit:
            guard let new = change.spec else { return "" }
            let parts = differences(old, new)
            return parts.isEmpty ? "its words change" : parts.joined(separator: ", ")
        }
    }

    private static func differences(_ old: RuleSpec, _ new: RuleSpec) -> [String] {
        let pairs: [(String, String)] = [
            (old.name ?? "", new.name ?? ""),
            (things(old.targets), things(new.targets)),
            (amount(old), amount(new)),
            (old.window.map(RuleWords.window) ?? "", new.window.map(RuleWords.window) ?? ""),
            (overlap(old), overlap(new)),
            (days(old.days), days(new.days)),
            (exceptions(old), exceptions(new)),
            (things(old.opens ?? []), things(new.opens ?? [])),
            (old.then?.rawValue ?? "", new.then?.rawValue ?? ""),
        ]
        return pairs.filter { $0.0 != $0.1 }.map { "\($0.0) becomes \($0.1)" }
    }

    private static func things(_ items: [TokenItem]) -> String {
        items.isEmpty ? "everything" : RuleWords.names(items)
    }

    private static func amount(_ spec: RuleSpec) -> String {
        let weekend = spec.weekendMs.map { " (\(TextFormat.duration(ms: $0)) at weekends)" } ?? ""
        if let restMs = spec.restMs, let afterMs = spec.durationMs {
            return "\(TextFormat.duration(ms: restMs)) after \(TextFormat.duration(ms: afterMs))"
        }
        return spec.durationMs.map { TextFormat.duration(ms: $0) + weekend } ?? ""
    }

    private static func overlap(_ spec: RuleSpec) -> String {
        spec.overlap == .once ? "time on two machines at once counts once" : "time counts on each machine"
    }

    private static func exceptions(_ spec: RuleSpec) -> String {
        spec.except.map { "no rule on " + RuleSpec.words(ofDates: $0) } ?? "no day of exception"
    }

    private static func days(_ days: [Int]?) -> String {
        guard let days, !days.isEmpty else { return "every day" }
        return days.filter { (1...7).contains($0) }.map { CalendarNames.shortDay($0) }.joined(separator: " ")
    }
}
