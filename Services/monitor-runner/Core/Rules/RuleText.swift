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
        let isPaused = rule.isPaused(atWallMs: nowMs)
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
            problem: book.problem(of: rule).map { "\($0.code): \($0.message)" },
            pending: RuleWaitingText.view(rule)
        )
    }

    /// What a rule cannot do yet, said when it is made.
    static func notes(_ rule: Rule) -> [ActivityNote] {
        var notes: [ActivityNote] = []
        let sites = (rule.spec.targets + (rule.spec.opens ?? [])).filter { $0.kind == .domain }
        if !sites.isEmpty {
            notes.append(
                ActivityNote(
                    code: "rule.site_unseen",
                    text:
                        "Nothing can see yet which site a browser shows. Until something does, only what scripts and "
                        + "programs report counts for \(RuleWords.names(sites))."
                )
            )
        }
        if rule.spec.kind == .allow {
            notes.append(
                ActivityNote(
                    code: "rule.allow_later",
                    text: "It is kept, and will matter once there are shields: nothing is shielded yet."
                )
            )
        } else if rule.spec.then == .shield {
            notes.append(
                ActivityNote(
                    code: "rule.shield_later",
                    text: "Shields do not exist yet: until they do, this rule only notifies."
                )
            )
        }
        return notes
    }
}
