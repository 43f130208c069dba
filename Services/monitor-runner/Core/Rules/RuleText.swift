import STContracts
import STDomain
import STEngine
import STPlatform

/// How a rule is told to whoever asks for it.
enum RuleText {
    static func view(_ rule: Rule, _ book: RuleBook, _ context: RequestContext) -> RuleView {
        let nowMs = context.now.wallMs
        let preview = RulePlan.span(rule.spec).map {
            SchedulePreview($0, count: 1, fromMs: nowMs, zone: context.zone)
        }
        let isOngoing = preview?.intervals.first?.contains(nowMs) ?? false
        let isPaused = rule.isPaused(nowMs: nowMs)
        return RuleView(
            id: rule.id,
            rule: rule.spec,
            addedAt: RFC3339.text(wallMs: rule.addedMs),
            pausedUntil: isPaused ? rule.pausedUntilMs.map { RFC3339.text(wallMs: $0) } : nil,
            interval: preview?.intervals.first.map {
                IntervalSpan(startWallMs: $0.startMs, endWallMs: $0.endMs, zone: $0.zone)
            },
            when: preview?.lines.first.map { (isOngoing ? "now: " : "next: ") + $0 },
            isWatched: book.isWatched(rule),
            problem: (book.problem(of: rule) ?? book.shieldProblem(of: rule)).map {
                "\($0.code): \($0.message)"
            },
            isShielding: book.isShielding(rule),
            pending: RuleWaitingText.view(rule)
        )
    }

    /// What a rule cannot do yet, said when it is made.
    static func notes(_ rule: Rule) -> [ActivityNote] {
        let sites = (rule.spec.targets + (rule.spec.opens ?? [])).filter { $0.kind == .domain }
        guard !sites.isEmpty else { return [] }
        let names = RuleWords.names(sites)
        let unseen = "Nothing can see yet which site a browser shows. Until something does, "
        var text = unseen + "only what scripts and programs report counts for \(names)."
        if rule.spec.kind == .allow {
            text = unseen + "that \(names) is always allowed is kept and changes nothing."
        } else if rule.spec.then == .shield {
            text = String(text.dropLast()) + ", and it is not shielded in a browser."
        }
        return [ActivityNote(code: "rule.site_unseen", text: text)]
    }
}
