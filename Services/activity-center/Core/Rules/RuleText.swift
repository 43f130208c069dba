import STContracts
import STDomain
import STEngine
import STPlatform

/// Describes rules in replies and in the history.
enum RuleText {
    static func view(_ rule: Rule, book: RuleState, context: RequestContext) -> RuleView {
        let now = context.now.wall
        let preview = RulePlan.span(rule.spec).map {
            SchedulePreview($0, count: 1, fromMs: now.ms, zone: context.zone)
        }
        let session = rule.ends.map {
            IntervalSpan(
                startWallMs: rule.closed?[rule.id]?.startMs ?? rule.addedMs,
                endWallMs: $0.wallMs,
                zone: context.zone
            )
        }
        let moments = MomentFormatter(fromMs: now.ms, zone: context.zone)
        let isOngoing = preview?.intervals.first?.contains(now.ms) ?? false
        let isPaused = rule.isPaused(now: now)
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
                Message("rule-problem.with-code", "\($0.code, "code"): \($0.text, "text")")
            },
            isShielding: book.isShielding(rule),
            pending: pending(rule)
        )
    }

    /// Returns a summary such as `limit, chess, 1h, Mon Tue, shield`.
    static func summary(_ spec: RuleSpec) -> Message {
        let days = spec.days.flatMap { $0.isEmpty ? nil : Self.days($0) }
        let except = spec.except.map {
            Message("rule-part.except", "except \(RuleSpec.datesMessage(ofDates: $0), "days")")
        }
        let isShield = spec.then == .shield && spec.kind != .allow
        return list(
            [
                spec.kind.label, spec.kind == .break ? nil : itemNames(spec.targets), amount(spec),
                spec.window.map { Message(verbatim: RuleLabels.window($0)) }, days, except,
                spec.opens.map { opens($0, spec.kind) },
                isShield ? Message("rule-part.shield", "shield") : nil,
            ]
        )
    }

    private static func list(_ parts: [Message?]) -> Message {
        let parts = MessageValue.list(parts.compactMap(\.self).map { .message($0) })
        return Message("rule-part.list", "\(parts, "parts")")
    }

    private static func opens(_ items: [TokenItem], _ kind: RuleKind) -> Message {
        kind == .downtime
            ? Message("rule-part.only", "only \(itemNames(items), "apps")")
            : Message("rule-part.opens", "opens \(itemNames(items), "apps")")
    }

    /// Returns notes on effects that a person may not expect. Replies show them when a rule is added or edited.
    static func notes(_ rule: Rule) -> [ActivityNote] {
        let kinds = Set(rule.spec.targets.map(\.kind))
        guard rule.spec.kind == .session, kinds == [.domain] else { return [] }
        return [
            ActivityNote(
                code: "rule.browser_shielded",
                text: Message(
                    "rule-note.browser-shielded",
                    "This also shields the browser, so the site stays closed. Add the browser to the list as well."
                )
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

    private static func text(_ change: ScheduledChange, _ old: RuleSpec) -> Message {
        switch change.kind {
        case .add: return Message("rule-change.takes-effect", "it takes effect")
        case .remove: return Message("rule-change.is-removed", "it is removed")
        case .pause:
            let length = MessageValue.duration(ms: change.forMs ?? 0)
            return Message("rule-change.is-paused", "it is paused for \(length, "length")")
        case .edit:
            guard let new = change.spec else { return Message(verbatim: "") }
            let parts = differences(old, new)
            return parts.isEmpty
                ? Message("rule-change.text-changes", "the text of the rule's notification changes")
                : list(parts)
        }
    }

    private static func differences(_ old: RuleSpec, _ new: RuleSpec) -> [Message] {
        let none = Message("rule-part.none", "none")
        let pairs: [(Message, Message)] = [
            (Message(verbatim: old.name ?? ""), Message(verbatim: new.name ?? "")),
            (itemNames(old.targets), itemNames(new.targets)),
            (amount(old) ?? none, amount(new) ?? none),
            (window(old) ?? none, window(new) ?? none),
            (overlap(old), overlap(new)),
            (days(old.days), days(new.days)),
            (exceptions(old), exceptions(new)),
            (itemNames(old.opens ?? []), itemNames(new.opens ?? [])),
            (consequence(old), consequence(new)),
        ]
        return pairs.filter { $0.0 != $0.1 }.map {
            Message("rule-change.becomes", "\($0.0, "before") becomes \($0.1, "after")")
        }
    }

    private static func itemNames(_ items: [TokenItem]) -> Message {
        items.isEmpty ? Message("rule-part.everything", "everything") : RuleLabels.names(items)
    }

    private static func window(_ spec: RuleSpec) -> Message? {
        spec.window.map { Message(verbatim: RuleLabels.window($0)) }
    }

    private static func consequence(_ spec: RuleSpec) -> Message {
        spec.then == .shield
            ? Message("rule-part.shield", "shield") : Message(verbatim: spec.then?.rawValue ?? "")
    }

    private static func amount(_ spec: RuleSpec) -> Message? {
        guard let ms = spec.durationMs else { return nil }
        let length = MessageValue.duration(ms: ms)
        if let restMs = spec.restMs {
            let rest = MessageValue.duration(ms: restMs)
            return Message("rule-part.rest", "\(rest, "rest") after \(length, "length")")
        }
        guard let weekendMs = spec.weekendMs else {
            return self.length(.milliseconds(ms))
        }
        let weekend = MessageValue.duration(ms: weekendMs)
        return Message(
            "rule-part.length-and-weekend",
            "\(length, "length") (\(weekend, "weekend") at weekends)"
        )
    }

    static func length(_ length: Duration) -> Message {
        Message("rule-part.length", "\(MessageValue.duration(ms: length.ms), "length")")
    }

    private static func overlap(_ spec: RuleSpec) -> Message {
        spec.overlap == .once
            ? Message("rule-part.overlap-once", "simultaneous time on two machines counts once")
            : Message("rule-part.overlap-each", "time counts on each machine")
    }

    private static func exceptions(_ spec: RuleSpec) -> Message {
        spec.except.map {
            Message("rule-part.no-rule-on", "no rule on \(RuleSpec.datesMessage(ofDates: $0), "days")")
        }
            ?? Message("rule-part.no-exceptions", "no exceptions")
    }

    private static func days(_ days: [Int]?) -> Message {
        guard let days, !days.isEmpty else { return Message("rule-part.every-day", "every day") }
        let names = days.filter { (1...7).contains($0) }.map {
            MessageValue.message(CalendarNames.shortDay($0))
        }
        return Message("rule-part.days", "\(MessageValue.list(names), "days")")
    }
}
