import STContracts
import STPlatform

/// A story of `screentime why` as people read it.
enum WhyText {
    static func lines(_ story: WhyStory, _ terminal: Terminal) -> [String] {
        let explained = story.explained
        var lines = [terminal.styled(story.headline, .bold)]
        for chain in story.chains {
            lines += ["", DisplayNames.capitalised(chain.text).harmless + ":"]
            lines += chain.steps.map { step($0, terminal) }
            if let end = ending(chain.origin) { lines.append(terminal.styled("  " + end, .dim)) }
        }
        if !story.shown.isEmpty {
            lines +=
                ["", Speech.say("The last time it was shown:", "마지막으로 보인 때:")]
                + story.shown.map { step($0, terminal) }
        }
        if !story.budgets.isEmpty {
            lines += ["", Speech.say("What it counts towards:", "어디에 세는지:")] + story.budgets.map(budget)
        }
        if !explained.lifts.isEmpty {
            let title =
                explained.decision.isShielded
                ? Speech.say("What lifts it:", "푸는 방법:") : Speech.say("What to know:", "알아둘 것:")
            lines += ["", title] + explained.lifts.map { "  " + $0.harmless }
        }
        lines += ["", terminal.styled(footer(story), .dim)]
        return lines
    }

    /// `name` is what people call the subject.
    static func headline(_ story: WhyStory, _ name: String) -> String {
        let subject = name.harmless
        let decision = story.explained.decision
        let isNow = story.isNow
        let verb = isNow ? "is" : "was"
        let moment = isNow ? nil : TimeText.text(wallMs: story.explained.wallMs)
        let when = moment.map { " at \($0)" } ?? ""
        let front = "\(subject): \(moment.map { "\($0)에 " } ?? "")제한되어 "
        if decision.isShielded {
            return Speech.say("\(subject) \(verb) shielded\(when).", front + (isNow ? "있습니다." : "있었습니다."))
        }
        let not = Speech.say(
            "\(subject) \(verb) not shielded\(when)",
            front + (isNow ? "있지 않습니다" : "있지 않았습니다")
        )
        if decision.causes.isEmpty {
            return not + Speech.say(": no rule and no app shields it.", ". 제한하는 규칙도 앱도 없습니다.")
        }
        if let grant = decision.grant?.harmless {
            return not
                + Speech.say(": more time was granted (\(grant)).", ". 시간이 더 승인되었습니다(\(grant)).")
        }
        return not + (decision.isAlwaysAllowed ? Speech.say(": it is always allowed.", ". 항상 허용됩니다.") : ".")
    }

    private static func step(_ step: WhyStep, _ terminal: Terminal) -> String {
        "  \(terminal.styled(moment(step.wallMs), .dim))  \([step.text, step.detail].compactMap(\.self).joined(separator: "; ").harmless)"
    }

    private static func moment(_ wallMs: Int64) -> String {
        let day = TimeText.text(wallMs: wallMs).prefix(10)
        return "\(day) \(TimeText.clock(wallMs: wallMs).prefix(8))"
    }

    private static func ending(_ origin: WhyChain.Origin) -> String? {
        switch origin {
        case .observation, .person: nil
        case .clock:
            Speech.say("(by the clock: no person was seen at that moment)", "(시각에 따라: 그때 아무도 보이지 않았습니다)")
        case .forgotten: Speech.say("(what led to it is no longer recorded)", "(무엇 때문인지 이제 기록에 없습니다)")
        }
    }

    private static func budget(_ budget: WhyBudget) -> String {
        let counted = Speech.duration(ms: budget.countedMs)
        let threshold = Speech.duration(ms: budget.thresholdMs)
        let own = Speech.duration(ms: budget.ownMs)
        let name = budget.name.harmless
        return Speech.say(
            "  \(name): \(counted) of \(threshold), \(own) of it here",
            "  \(name): \(threshold) 가운데 \(counted), 여기서 \(own)"
        )
    }

    private static func footer(_ story: WhyStory) -> String {
        let explained = story.explained
        let since = TimeText.text(wallMs: explained.sinceWallMs)
        let (category, member) = (explained.category.harmless, explained.member.harmless)
        return Speech.say(
            "Counted as \(category), for \(member); policy \(explained.policy). Changes have been recorded since \(since).",
            "\(member) 님의 \(category)에 셉니다. 정책 \(explained.policy). 변경은 \(since)부터 기록되어 있습니다."
        )
    }
}

/// The sentences of `screentime why`.
enum WhyWords {
    static func sentence(_ cause: ShieldCauseBody, owner: String, thing: String) -> String {
        switch cause.way {
        case .named: Speech.say("\(owner) shields \(thing) itself", "\(owner): \(thing)을(를) 제한합니다")
        case .category:
            Speech.say(
                "\(owner) shields the category \(cause.what)",
                "\(owner): 카테고리 \(cause.what)을(를) 제한합니다"
            )
        case .all:
            Speech.say("\(owner) shields everything except its exceptions", "\(owner): 예외를 빼고 모두 제한합니다")
        case .blocked:
            Speech.say("\(owner) does not let \(thing) start", "\(owner): \(thing)을(를) 열지 못하게 합니다")
        case .filter:
            Speech.say(
                "\(owner) keeps \(cause.what) out by its filter for sites",
                "\(owner): 사이트 필터로 \(cause.what)을(를) 막습니다"
            )
        case .unknown:
            Speech.say(
                "\(owner) shields it, in a way that this version does not know",
                "\(owner): 이 버전이 모르는 방법으로 제한합니다"
            )
        }
    }

    static func front(_ segment: Segment, app: String) -> String {
        let thing = segment.domain.map { "site:\($0)" } ?? app
        let member = segment.member
        switch segment.presence {
        case .active: return Speech.say("\(thing) in front of \(member)", "\(member) 님 앞에 \(thing)")
        case .unobserved, .unknown: return Speech.say("nothing could be seen", "아무것도 볼 수 없었습니다")
        default:
            return Speech.say("\(member) was \(segment.presence.rawValue)", "\(member) 님이 없었습니다")
        }
    }

    static func occasion(_ occurrence: ActivityOccurrence) -> String {
        let evidence = occurrence.evidence
        let (rule, note) = (Speech.told(evidence.rule), evidence.note.map { "; \(Speech.told($0))" } ?? "")
        switch occurrence.occasion {
        case .intervalStarted:
            return Speech.say("an interval began: \(rule)\(note)", "구간이 시작됨: \(rule)\(note)")
        case .intervalEnded: return Speech.say("an interval ended: \(rule)\(note)", "구간이 끝남: \(rule)\(note)")
        case .intervalWillStart: return Speech.say("an interval begins soon: \(rule)", "구간이 곧 시작됨: \(rule)")
        case .intervalWillEnd: return Speech.say("an interval ends soon: \(rule)", "구간이 곧 끝남: \(rule)")
        case .thresholdReached, .thresholdWarning, .thresholdReturned:
            let ms = evidence.countedMs.map { Speech.duration(ms: $0) }
            let counted = ms.map { Speech.say(" \($0) counted", " \($0) 사용") } ?? ""
            let reached =
                switch occurrence.occasion {
                case .thresholdReached: Speech.say("used up", "다 씀")
                case .thresholdReturned:
                    Speech.say("given back, because the person had left", "자리를 비웠으므로 돌려줌")
                default: Speech.say("nearly used up", "거의 다 씀")
                }
            return "\(reached): \(rule);\(counted)\(note)"
        case .unknown:
            return Speech.say("something happened that this version does not know", "이 버전이 모르는 일")
        }
    }
}
