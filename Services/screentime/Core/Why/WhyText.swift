import STContracts
import STPlatform

/// The explanation of `screentime why` on a terminal.
enum WhyText {
    static func lines(_ story: WhyExplanation, _ terminal: Terminal) -> [String] {
        let explained = story.explained
        var lines = [terminal.styled(story.headline, .bold)]
        for chain in story.chains {
            lines += ["", DisplayNames.capitalised(chain.text).sanitized + ":"]
            lines += chain.steps.map { step($0, terminal) }
            if let end = ending(chain.origin) { lines.append(terminal.styled("  " + end, .dim)) }
        }
        if !story.shown.isEmpty {
            lines +=
                ["", Speech.say("why.the-last-time-it", "The shield was last shown:")]
                + story.shown.map { step($0, terminal) }
        }
        if !story.budgets.isEmpty {
            lines +=
                ["", Speech.say("why.what-it-counts-towards", "Counts towards:")]
                + story.budgets.map(budget)
        }
        if !explained.lifts.isEmpty {
            let title =
                explained.decision.isShielded
                ? Speech.say("why.what-lifts-it", "How to lift the shield:")
                : Speech.say("why.what-to-know", "Notes:")
            lines += ["", title] + explained.lifts.map { "  " + Speech.say($0).sanitized }
        }
        lines += ["", terminal.styled(footer(story), .dim)]
        return lines
    }

    /// Returns the first sentence. `name` is the subject's name for people.
    static func headline(_ story: WhyExplanation, _ name: String) -> String {
        let subject = name.sanitized
        let decision = story.explained.decision
        let time = TimeText.text(WallTime(ms: story.explained.wallMs))
        if decision.isShielded {
            return story.isNow
                ? Speech.say("why.is-shielded", "\(subject, "subject") is shielded.")
                : Speech.say("why.was-shielded", "\(subject, "subject") was shielded at \(time, "time").")
        }
        let not =
            story.isNow
            ? Speech.say("why.is-not-shielded", "\(subject, "subject") is not shielded")
            : Speech.say("why.was-not-shielded", "\(subject, "subject") was not shielded at \(time, "time")")
        if decision.causes.isEmpty {
            return not + Speech.say("why.no-rule-and-no", ": no rule and no app shields it.")
        }
        if let grant = decision.grant?.sanitized {
            return not
                + Speech.say("why.more-time-was-granted", ": more time was granted (\(grant, "grant")).")
        }
        guard decision.isAlwaysAllowed else { return not + "." }
        return not + Speech.say("why.it-is-always-allowed", ": it is always allowed.")
    }

    private static func step(_ step: WhyStep, _ terminal: Terminal) -> String {
        "  \(terminal.styled(moment(WallTime(ms: step.wallMs)), .dim))  \([step.text, step.detail].compactMap(\.self).joined(separator: "; ").sanitized)"
    }

    private static func moment(_ wall: WallTime) -> String {
        let day = TimeText.text(wall).prefix(10)
        return "\(day) \(TimeText.clock(wall).prefix(8))"
    }

    private static func ending(_ origin: WhyChain.Origin) -> String? {
        switch origin {
        case .observation, .person: nil
        case .clock:
            Speech.say(
                "why.by-the-clock-no",
                "(triggered at a set time, not by something that a person did)"
            )
        case .forgotten: Speech.say("why.what-led-to-it", "(the cause is no longer recorded)")
        }
    }

    private static func budget(_ budget: WhyBudget) -> String {
        let counted = Speech.duration(ms: budget.countedMs)
        let threshold = Speech.duration(ms: budget.thresholdMs)
        let own = Speech.duration(ms: budget.ownMs)
        let name = budget.name.sanitized
        let text = Speech.say(
            "why.of-of-it-here",
            """
            \(name, "name"): \(counted, "counted") of \(threshold, "threshold") counted, \(own, "own") \
            from this app or site
            """
        )
        return "  " + text
    }

    private static func footer(_ story: WhyExplanation) -> String {
        let explained = story.explained
        let since = TimeText.text(WallTime(ms: explained.sinceWallMs))
        let (category, member) = (explained.category.sanitized, explained.member.sanitized)
        return Speech.say(
            "why.counted-as-for-policy",
            """
            Counted as \(category, "category"), for \(member, "member"); policy \
            \(explained.policy, "policy"). Changes have been recorded since \(since, "since").
            """
        )
    }
}

/// The sentences of `screentime why`.
enum WhyStrings {
    static func sentence(_ cause: ShieldCauseBody, owner: String, thing: String) -> String {
        switch cause.way {
        case .named: Speech.say("why.shields-itself", "\(owner, "owner") shields \(thing, "thing") directly")
        case .category:
            Speech.say(
                "why.shields-the-category",
                "\(owner, "owner") shields the category \(cause.what, "what")"
            )
        case .all:
            Speech.say(
                "why.shields-everything-except-its",
                "\(owner, "owner") shields everything apart from its exceptions"
            )
        case .blocked:
            Speech.say("why.does-not-let-start", "\(owner, "owner") prevents \(thing, "thing") from starting")
        case .filter:
            Speech.say(
                "why.keeps-out-by-its",
                "\(owner, "owner") blocks \(cause.what, "what") with its web filter"
            )
        case .unknown:
            Speech.say(
                "why.shields-it-in-a",
                "\(owner, "owner") shields it in a way that this version does not recognise"
            )
        }
    }

    static func foregroundText(_ segment: Segment, app: String) -> String {
        let thing = segment.domain.map { "site:\($0)" } ?? app
        let member = segment.member
        switch segment.presence {
        case .active:
            return Speech.say(
                "why.in-front-of",
                "\(thing, "thing") was in the foreground for \(member, "member")"
            )
        case .unobserved, .unknown:
            return Speech.say("why.nothing-could-be-seen", "the screen could not be observed")
        case .idle: return Speech.say("why.was-idle", "\(member, "member") was idle")
        case .locked: return Speech.say("why.was-locked", "\(member, "member")'s screen was locked")
        case .away: return Speech.say("why.was-away", "\(member, "member") was away")
        case .suspended:
            return Speech.say("why.was-suspended", "\(member, "member")'s computer was suspended")
        }
    }

    static func occasion(_ occurrence: ActivityOccurrence) -> String {
        let evidence = occurrence.evidence
        let (rule, note) = (Speech.say(evidence.rule), evidence.note.map { "; \(Speech.say($0))" } ?? "")
        switch occurrence.occasion {
        case .intervalStarted:
            return Speech.say("why.an-interval-began", "an interval began: \(rule, "rule")\(note, "note")")
        case .intervalEnded:
            return Speech.say("why.an-interval-ended", "an interval ended: \(rule, "rule")\(note, "note")")
        case .intervalWillStart:
            return Speech.say("why.an-interval-begins-soon", "an interval begins soon: \(rule, "rule")")
        case .intervalWillEnd:
            return Speech.say("why.an-interval-ends-soon", "an interval ends soon: \(rule, "rule")")
        case .thresholdReached, .thresholdWarning, .thresholdReturned:
            let ms = evidence.countedMs.map { Speech.duration(ms: $0) }
            let counted = ms.map { Speech.say("why.counted", " \($0, "time") counted") } ?? ""
            let reached =
                switch occurrence.occasion {
                case .thresholdReached: Speech.say("why.used-up", "used up")
                case .thresholdReturned:
                    Speech.say(
                        "why.given-back-because-the",
                        "no longer used up, because time when the person was away is not counted"
                    )
                default: Speech.say("why.nearly-used-up", "nearly used up")
                }
            return "\(reached): \(rule);\(counted)\(note)"
        case .unknown:
            return Speech.say(
                "why.something-happened-that-this",
                "an event that this version does not recognise"
            )
        }
    }
}
