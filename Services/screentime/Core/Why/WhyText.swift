import STContracts
import STPlatform

/// A story of `screentime why` as people read it.
enum WhyText {
    /// `name` is what people call the subject.
    static func lines(_ story: WhyStory, _ name: String, _ terminal: Terminal) -> [String] {
        let explained = story.explained
        var lines = [terminal.styled(headline(story, name.harmless), .bold)]
        for chain in story.chains {
            lines += ["", DisplayNames.capitalised(chain.text).harmless + ":"]
            lines += chain.steps.map { step($0, terminal) }
            if let end = ending(chain.origin) { lines.append(terminal.styled("  " + end, .dim)) }
        }
        if !story.shown.isEmpty {
            lines += ["", "The last time it was shown:"] + story.shown.map { step($0, terminal) }
        }
        if !story.budgets.isEmpty {
            lines += ["", "What it counts towards:"] + story.budgets.map(budget)
        }
        if !explained.lifts.isEmpty {
            let title = explained.decision.isShielded ? "What lifts it:" : "What to know:"
            lines += ["", title] + explained.lifts.map { "  " + $0.harmless }
        }
        lines += ["", terminal.styled(footer(story), .dim)]
        return lines
    }

    private static func headline(_ story: WhyStory, _ subject: String) -> String {
        let decision = story.explained.decision
        let verb = story.isNow ? "is" : "was"
        let when = story.isNow ? "" : " at \(TimeText.text(wallMs: story.explained.wallMs))"
        if decision.isShielded { return "\(subject) \(verb) shielded\(when)." }
        if decision.causes.isEmpty {
            return "\(subject) \(verb) not shielded\(when): no rule and no app shields it."
        }
        if let grant = decision.grant {
            return "\(subject) \(verb) not shielded\(when): more time was granted (\(grant.harmless))."
        }
        return decision.isAlwaysAllowed
            ? "\(subject) \(verb) not shielded\(when): it is always allowed."
            : "\(subject) \(verb) not shielded\(when)."
    }

    private static func step(_ step: WhyStep, _ terminal: Terminal) -> String {
        "  \(terminal.styled(moment(step.wallMs), .dim))  \(step.text.harmless)"
    }

    private static func moment(_ wallMs: Int64) -> String {
        let day = TimeText.text(wallMs: wallMs).prefix(10)
        return "\(day) \(TimeText.clock(wallMs: wallMs).prefix(8))"
    }

    private static func ending(_ origin: WhyChain.Origin) -> String? {
        switch origin {
        case .observation, .person: nil
        case .clock: "(by the clock: no person was seen at that moment)"
        case .forgotten: "(what led to it is no longer recorded)"
        }
    }

    private static func budget(_ budget: WhyBudget) -> String {
        let counted = TextFormat.duration(ms: budget.countedMs)
        let threshold = TextFormat.duration(ms: budget.thresholdMs)
        let own = TextFormat.duration(ms: budget.ownMs)
        let name =
            budget.app == BuiltInRules.app
            ? "the rule \(BuiltInRules.rule(watching: budget.activity).harmless)"
            : "\(budget.app.harmless) \(budget.activity.harmless)/\(budget.event.harmless)"
        return "  \(name): \(counted) of \(threshold), \(own) of it here"
    }

    private static func footer(_ story: WhyStory) -> String {
        let explained = story.explained
        let since = TimeText.text(wallMs: explained.sinceWallMs)
        return "Counted as \(explained.category.harmless), for \(explained.member.harmless); policy "
            + "\(explained.policy). Changes have been recorded since \(since)."
    }
}

/// The sentences of `screentime why`.
enum WhyWords {
    static func sentence(_ cause: ShieldCauseBody, owner: String, thing: String) -> String {
        switch cause.way {
        case .named: "\(owner) shields \(thing) itself"
        case .category: "\(owner) shields the category \(cause.what)"
        case .all: "\(owner) shields everything except its exceptions"
        case .blocked: "\(owner) does not let \(thing) start"
        case .filter: "\(owner) keeps \(cause.what) out by its filter for sites"
        case .unknown: "\(owner) shields it, in a way that this version does not know"
        }
    }

    static func front(_ segment: Segment, app: String) -> String {
        let thing = segment.domain.map { "site:\($0)" } ?? app
        switch segment.presence {
        case .active: return "\(thing) in front of \(segment.member)"
        case .unobserved, .unknown: return "nothing could be seen"
        default: return "\(segment.member) was \(segment.presence.rawValue)"
        }
    }

    static func occasion(_ occurrence: ActivityOccurrence) -> String {
        let evidence = occurrence.evidence
        let note = evidence.note.map { "; \($0)" } ?? ""
        switch occurrence.occasion {
        case .intervalStarted: return "an interval began: \(evidence.rule)\(note)"
        case .intervalEnded: return "an interval ended: \(evidence.rule)\(note)"
        case .intervalWillStart: return "an interval begins soon: \(evidence.rule)"
        case .intervalWillEnd: return "an interval ends soon: \(evidence.rule)"
        case .thresholdReached, .thresholdWarning, .thresholdReturned:
            let counted = evidence.countedMs.map { " \(TextFormat.duration(ms: $0)) counted" } ?? ""
            let reached =
                switch occurrence.occasion {
                case .thresholdReached: "used up"
                case .thresholdReturned: "given back, because the person had left"
                default: "nearly used up"
                }
            return "\(reached): \(evidence.rule);\(counted)\(note)"
        case .unknown: return "something happened that this version does not know"
        }
    }
}
