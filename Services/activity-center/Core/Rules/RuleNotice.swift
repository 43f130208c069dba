import STContracts
import STDomain
import STPlatform

/// The notice of a rule about an occurrence.
struct RuleNotice: Equatable {
    var title: String
    var body: String
    /// True if the notice is also posted after a pause. This applies to starts and used-up limits, but not to warnings.
    var isLasting: Bool

    /// Returns the notice of a rule for an occurrence, or nil if it has none.
    static func of(_ rule: Rule, occurrence: ActivityOccurrence, words: NoticeStrings) -> RuleNotice? {
        let text = NoticeText(rule: rule, occurrence: occurrence, strings: words)
        switch rule.spec.kind {
        case .limit: return text.limit()
        case .goal: return text.goal()
        case .downtime: return text.downtime()
        case .window: return text.window()
        case .break: return text.breakNotice()
        case .allow, .session, .unknown: return nil
        }
    }

    private struct NoticeText {
        var rule: Rule
        var occurrence: ActivityOccurrence
        var strings: NoticeStrings

        private var spec: RuleSpec { rule.spec }
        private var app: String { strings.names(spec.targets) }
        private var opened: String { strings.names(spec.opens ?? []) }
        private var threshold: Duration {
            .milliseconds(occurrence.evidence.thresholdMs ?? spec.durationMs ?? 0)
        }
        private var used: Duration { occurrence.evidence.countedMs.map { .milliseconds($0) } ?? threshold }
        private var amount: String { strings.duration(ms: threshold.ms) }
        private var left: String { strings.duration(ms: max(.zero, threshold - used).ms) }
        private var warn: String { strings.duration(ms: spec.warnMs ?? 0) }
        private var range: String { spec.window.map(RuleLabels.window) ?? "" }

        func limit() -> RuleNotice? {
            guard occurrence.event == BuiltInRules.usedEvent else { return nil }
            switch occurrence.occasion {
            case .thresholdReached:
                return notice(
                    strings.say(
                        "rule-notice.of-is-used-up",
                        "\(amount, "amount") of \(app, "app") is used up"
                    ),
                    strings.say("rule-notice.that-was-all-for", "You have reached today's limit.")
                )
            case .thresholdWarning:
                return notice(
                    strings.say("rule-notice.of-is-left", "\(left, "left") of \(app, "app") is left"),
                    strings.say(
                        "rule-notice.then-todays-is-used",
                        "After that, today's limit of \(amount, "amount") is used up."
                    ),
                    lasting: false
                )
            default: return nil
            }
        }

        func goal() -> RuleNotice? {
            let next = strings.say("rule-notice.then-it-is-time", "Then it is time for \(opened, "opened").")
            switch (occurrence.occasion, occurrence.event) {
            case (.thresholdReached, BuiltInRules.usedEvent):
                return notice(
                    strings.say("rule-notice.of-reached", "\(amount, "amount") of \(app, "app") reached"),
                    strings.say(
                        "rule-notice.open-until-midnight",
                        "\(opened, "opened"): open until midnight."
                    )
                )
            case (.thresholdWarning, BuiltInRules.usedEvent):
                return notice(
                    strings.say("rule-notice.of-to-go", "\(left, "left") of \(app, "app") to go"),
                    next,
                    lasting: false
                )
            case (.thresholdReached, RulePlan.earlyEvent):
                guard rule.metStartMs != occurrence.interval.startWallMs else { return nil }
                let needed = strings.duration(ms: RulePlan.amount(of: rule, occurrence.activity).ms)
                return notice(
                    strings.say("rule-notice.first-of", "First \(needed, "needed") of \(app, "app")"),
                    next,
                    own: false
                )
            default: return nil
            }
        }

        func downtime() -> RuleNotice? {
            let end = spec.window?.to ?? ""
            switch occurrence.occasion {
            case .intervalStarted:
                return notice(
                    strings.say("rule-notice.downtime-until", "Downtime until \(end, "end")"),
                    spec.opens == nil
                        ? strings.say("rule-notice.time-to-leave-the", "Time to stop using the computer.")
                        : strings.say("rule-notice.only-until-then", "Only \(opened, "opened") until then.")
                )
            case .intervalWillStart:
                return notice(
                    strings.say("rule-notice.downtime-begins-in", "Downtime begins in \(warn, "warn")"),
                    strings.say("rule-notice.downtime", "Downtime: \(range, "range")."),
                    lasting: false
                )
            default: return nil
            }
        }

        func breakNotice() -> RuleNotice? {
            let rest = strings.duration(ms: spec.restMs ?? 0)
            switch occurrence.occasion {
            case .thresholdReached:
                return notice(
                    strings.rest(spec),
                    strings.say(
                        "rule-notice.that-was-without-one",
                        "You have used the computer for \(amount, "amount") without a break."
                    )
                )
            case .thresholdWarning:
                return notice(
                    strings.say("rule-notice.a-break-of-in", "A break of \(rest, "rest") in \(left, "left")"),
                    strings.say("rule-notice.time-to-come-to", "Time to come to a good stopping point."),
                    lasting: false
                )
            default: return nil
            }
        }

        func window() -> RuleNotice? {
            switch (occurrence.occasion, occurrence.event) {
            case (.thresholdReached, RulePlan.earlyEvent):
                return notice(
                    strings.say("rule-notice.only", "\(app, "app"): only \(range, "range")"),
                    strings.say("rule-notice.it-is-not-that", "The current time is outside these hours.")
                )
            case (.intervalWillStart, nil) where occurrence.activity == rule.id:
                return notice(
                    strings.say("rule-notice.left", "\(app, "app"): \(warn, "warn") left"),
                    strings.say("rule-notice.the-time-for-it", "Allowed hours: \(range, "range")."),
                    lasting: false
                )
            default: return nil
            }
        }

        /// Returns a notice with the person's message, if any. If `own` is false, that message is for another occasion.
        private func notice(_ title: String, _ body: String, own: Bool = true, lasting: Bool = true)
            -> RuleNotice
        {
            let said = own ? spec.say.map { PlaceholderText.filled($0, values) } : nil
            return RuleNotice(
                title: TextFormat.truncated(title, bytes: NotifyPost.titleBytesMax),
                body: TextFormat.truncated(said ?? body, bytes: NotifyPost.bodyBytesMax),
                isLasting: lasting
            )
        }

        private var values: [String: String] {
            switch spec.kind {
            case .limit, .goal:
                return ["app": app, "used": strings.duration(ms: used.ms), "left": left, "limit": amount]
            case .downtime:
                let restMs = max(0, occurrence.interval.endWallMs - occurrence.dueWallMs)
                return ["limit": range, "left": strings.duration(ms: restMs)]
            case .window: return ["app": app, "limit": range]
            case .break: return RuleShieldNote.values(ofBreak: spec, strings)
            case .allow, .session, .unknown: return [:]
            }
        }
    }
}

/// The note on a rule's shield, made from the rule and the interval in which it shuts its apps.
enum RuleShieldNote {
    static func of(_ rule: Rule, closed: ClosedInterval, words: NoticeStrings) -> ShieldNote {
        // Truncate the texts, because the size of an event is limited.
        ShieldNote(
            rule: TextFormat.truncated(rule.name, bytes: ShieldNote.ruleBytesMax),
            says: message(rule.spec, closed: closed, words: words).map {
                TextFormat.truncated($0, bytes: ShieldNote.messageBytesMax)
            },
            opensMs: opens(rule.spec, closed).flatMap {
                (0..<ZoneRules.lastMs).contains($0.ms) ? $0.ms : nil
            },
            reason: reason(rule.spec, closed)
        )
    }

    private static func reason(_ spec: RuleSpec, _ closed: ClosedInterval) -> ShieldReason? {
        let hours = spec.window.map(RuleLabels.window) ?? ""
        switch spec.kind {
        case .limit:
            let used = Duration.milliseconds(closed.thresholdMs ?? spec.durationMs ?? 0)
            let isOne = spec.targets.count == 1 && spec.targets.allSatisfy { $0.kind != .category }
            return isOne ? .limit(used) : .sharedLimit(used)
        case .downtime: return .downtime(hours: hours)
        case .window: return .window(hours: hours)
        case .break:
            return .break(
                used: .milliseconds(spec.durationMs ?? 0),
                rest: .milliseconds(spec.restMs ?? 0)
            )
        case .session: return .session
        case .goal: return .goal
        case .allow, .unknown: return nil
        }
    }

    /// Returns the message in the notice of the occurrence that shut the apps.
    private static func message(_ spec: RuleSpec, closed: ClosedInterval, words: NoticeStrings) -> String? {
        guard let say = spec.say else { return nil }
        let range = spec.window.map(RuleLabels.window) ?? ""
        switch spec.kind {
        case .limit:
            let usedMs = closed.thresholdMs ?? spec.durationMs ?? 0
            let values = [
                "app": words.names(spec.targets), "used": words.duration(ms: usedMs),
                "left": words.duration(ms: 0),
                "limit": words.duration(ms: spec.weekendMs == nil ? spec.durationMs ?? usedMs : usedMs),
            ]
            return PlaceholderText.filled(say, values)
        // The program that draws the shield fills in `{left}`, because the value shrinks while the shield is shown.
        case .downtime: return PlaceholderText.filled(say, ["limit": range])
        case .session: return say
        case .break: return PlaceholderText.filled(say, values(ofBreak: spec, words))
        case .window:
            return PlaceholderText.filled(say, ["app": words.names(spec.targets), "limit": range])
        // A goal's message is for the moment at which the goal is reached. Its shield has disappeared by then.
        case .goal, .allow, .unknown: return nil
        }
    }

    static func values(ofBreak spec: RuleSpec, _ words: NoticeStrings) -> [String: String] {
        ["used": words.duration(ms: spec.durationMs ?? 0), "limit": words.duration(ms: spec.restMs ?? 0)]
    }

    /// Returns the opening time, or nil if it is unknown or there is none.
    private static func opens(_ spec: RuleSpec, _ closed: ClosedInterval) -> WallTime? {
        let end = WallTime(ms: closed.endMs)
        switch spec.kind {
        case .limit, .downtime, .session, .break: return end
        case .window:
            guard spec.days != nil else { return end }
            // The window may stay closed for days.
            return next(spec, closed).map { max($0, end) }
        // The shield of a goal disappears when the goal is met.
        case .goal, .allow, .unknown: return nil
        }
    }

    private static func next(_ spec: RuleSpec, _ closed: ClosedInterval) -> WallTime? {
        guard let zone = closed.zone else { return nil }
        let next = RulePlan.span(spec)?.interval(atOrAfter: closed.endMs, zone: zone)
        return next.map { WallTime(ms: $0.startMs) }
    }
}
