import STContracts
import STDomain
import STPlatform

/// What a rule has to say when something happens that it waits for.
struct RuleNotice: Equatable {
    var title: String
    var body: String
    /// Whether it is still worth saying after a pause: that something began or was used up, not that it soon will.
    var isLasting: Bool

    /// Nil for what a rule has nothing to say about.
    static func of(_ rule: Rule, _ occurrence: ActivityOccurrence) -> RuleNotice? {
        let told = Told(rule: rule, occurrence: occurrence)
        switch rule.spec.kind {
        case .limit: return told.limit()
        case .goal: return told.goal()
        case .downtime: return told.downtime()
        case .window: return told.window()
        case .allow, .unknown: return nil
        }
    }

    private struct Told {
        var rule: Rule
        var occurrence: ActivityOccurrence

        private var spec: RuleSpec { rule.spec }
        private var app: String { RuleWords.names(spec.targets) }
        private var opened: String { RuleWords.names(spec.opens ?? []) }
        private var thresholdMs: Int64 { occurrence.evidence.thresholdMs ?? spec.durationMs ?? 0 }
        private var amount: String { TextFormat.duration(ms: thresholdMs) }
        private var leftMs: Int64 { max(0, thresholdMs - (occurrence.evidence.countedMs ?? thresholdMs)) }
        private var left: String { TextFormat.duration(ms: leftMs) }
        private var warn: String { TextFormat.duration(ms: spec.warnMs ?? 0) }
        private var range: String { spec.window.map(RuleWords.window) ?? "" }

        func limit() -> RuleNotice? {
            guard occurrence.event == BuiltInRules.usedEvent else { return nil }
            switch occurrence.occasion {
            case .thresholdReached:
                return notice("\(amount) of \(app) are used up", "That was all of it for this day.")
            case .thresholdWarning:
                return notice(
                    "\(left) of \(app) are left",
                    "Then the \(amount) of this day are used up.",
                    lasting: false
                )
            default: return nil
            }
        }

        func goal() -> RuleNotice? {
            switch (occurrence.occasion, occurrence.event) {
            case (.thresholdReached, BuiltInRules.usedEvent):
                return notice("\(amount) of \(app) reached", "\(opened): open until midnight.")
            case (.thresholdWarning, BuiltInRules.usedEvent):
                return notice("\(left) of \(app) to go", "Then it is time for \(opened).", lasting: false)
            case (.thresholdReached, RulePlan.earlyEvent):
                guard rule.metStartMs != occurrence.interval.startWallMs else { return nil }
                return notice(
                    "First \(spec.durationMs.map(TextFormat.duration(ms:)) ?? "") of \(app)",
                    "Then it is time for \(opened).",
                    own: false
                )
            default: return nil
            }
        }

        func downtime() -> RuleNotice? {
            switch occurrence.occasion {
            case .intervalStarted:
                return notice("Downtime until \(spec.window?.to ?? "")", "Time to leave the computer alone.")
            case .intervalWillStart:
                return notice("Downtime begins in \(warn)", "It lasts from \(range).", lasting: false)
            default: return nil
            }
        }

        func window() -> RuleNotice? {
            switch (occurrence.occasion, occurrence.event) {
            case (.thresholdReached, RulePlan.earlyEvent):
                return notice("\(app): only \(range)", "It is not that time now.")
            case (.intervalWillStart, nil) where occurrence.activity == rule.id:
                return notice("\(app): \(warn) left", "The time for it is \(range).", lasting: false)
            default: return nil
            }
        }

        /// The person's own words where there are some, unless they are meant for another occasion.
        private func notice(_ title: String, _ body: String, own: Bool = true, lasting: Bool = true)
            -> RuleNotice
        {
            let words = own ? spec.say.map { PlaceholderText.filled($0, values) } : nil
            return RuleNotice(
                title: TextFormat.fitting(title, bytes: NotifyPost.titleBytesMax),
                body: TextFormat.fitting(words ?? body, bytes: NotifyPost.bodyBytesMax),
                isLasting: lasting
            )
        }

        private var values: [String: String] {
            switch spec.kind {
            case .limit, .goal:
                let usedMs = occurrence.evidence.countedMs ?? thresholdMs
                return ["app": app, "used": TextFormat.duration(ms: usedMs), "left": left, "limit": amount]
            case .downtime:
                let restMs = max(0, occurrence.interval.endWallMs - occurrence.dueWallMs)
                return ["limit": range, "left": TextFormat.duration(ms: restMs)]
            case .window: return ["app": app, "limit": range]
            case .allow, .unknown: return [:]
            }
        }
    }
}
