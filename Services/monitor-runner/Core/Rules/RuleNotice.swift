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
    static func of(_ rule: Rule, _ occurrence: ActivityOccurrence, _ words: NoticeWords) -> RuleNotice? {
        let told = Told(rule: rule, occurrence: occurrence, words: words)
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
        var words: NoticeWords

        private var spec: RuleSpec { rule.spec }
        private var app: String { words.names(spec.targets) }
        private var opened: String { words.names(spec.opens ?? []) }
        private var thresholdMs: Int64 { occurrence.evidence.thresholdMs ?? spec.durationMs ?? 0 }
        private var amount: String { words.duration(ms: thresholdMs) }
        private var leftMs: Int64 { max(0, thresholdMs - (occurrence.evidence.countedMs ?? thresholdMs)) }
        private var left: String { words.duration(ms: leftMs) }
        private var warn: String { words.duration(ms: spec.warnMs ?? 0) }
        private var range: String { spec.window.map(RuleWords.window) ?? "" }

        func limit() -> RuleNotice? {
            guard occurrence.event == BuiltInRules.usedEvent else { return nil }
            switch occurrence.occasion {
            case .thresholdReached:
                return notice(
                    words.pick("\(amount) of \(app) are used up", "\(app): \(amount) 모두 사용"),
                    words.pick("That was all of it for this day.", "오늘 쓸 수 있는 시간이 끝났습니다.")
                )
            case .thresholdWarning:
                return notice(
                    words.pick("\(left) of \(app) are left", "\(app): \(left) 남음"),
                    words.pick("Then the \(amount) of this day are used up.", "그러면 오늘의 제한 \(amount)에 이릅니다."),
                    lasting: false
                )
            default: return nil
            }
        }

        func goal() -> RuleNotice? {
            let next = words.pick("Then it is time for \(opened).", "그러면 \(opened) 사용 시간입니다.")
            switch (occurrence.occasion, occurrence.event) {
            case (.thresholdReached, BuiltInRules.usedEvent):
                return notice(
                    words.pick("\(amount) of \(app) reached", "\(app): \(amount) 달성"),
                    words.pick("\(opened): open until midnight.", "\(opened): 자정까지 쓸 수 있습니다.")
                )
            case (.thresholdWarning, BuiltInRules.usedEvent):
                return notice(
                    words.pick("\(left) of \(app) to go", "\(app): 앞으로 \(left)"),
                    next,
                    lasting: false
                )
            case (.thresholdReached, RulePlan.earlyEvent):
                guard rule.metStartMs != occurrence.interval.startWallMs else { return nil }
                let needed = spec.durationMs.map(words.duration(ms:)) ?? ""
                return notice(
                    words.pick("First \(needed) of \(app)", "먼저 \(app) \(needed)"),
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
                    words.pick("Downtime until \(end)", "다운타임: \(end)까지"),
                    words.pick("Time to leave the computer alone.", "컴퓨터를 쉬게 할 시간입니다.")
                )
            case .intervalWillStart:
                return notice(
                    words.pick("Downtime begins in \(warn)", "다운타임까지 \(warn) 남음"),
                    words.pick("It lasts from \(range).", "시간: \(range)."),
                    lasting: false
                )
            default: return nil
            }
        }

        func window() -> RuleNotice? {
            switch (occurrence.occasion, occurrence.event) {
            case (.thresholdReached, RulePlan.earlyEvent):
                return notice(
                    words.pick("\(app): only \(range)", "\(app): \(range)에만"),
                    words.pick("It is not that time now.", "지금은 그 시간이 아닙니다.")
                )
            case (.intervalWillStart, nil) where occurrence.activity == rule.id:
                return notice(
                    words.pick("\(app): \(warn) left", "\(app): \(warn) 남음"),
                    words.pick("The time for it is \(range).", "쓸 수 있는 시간: \(range)."),
                    lasting: false
                )
            default: return nil
            }
        }

        /// The person's own words where there are some, unless they are meant for another occasion.
        private func notice(_ title: String, _ body: String, own: Bool = true, lasting: Bool = true)
            -> RuleNotice
        {
            let said = own ? spec.say.map { PlaceholderText.filled($0, values) } : nil
            return RuleNotice(
                title: TextFormat.fitting(title, bytes: NotifyPost.titleBytesMax),
                body: TextFormat.fitting(said ?? body, bytes: NotifyPost.bodyBytesMax),
                isLasting: lasting
            )
        }

        private var values: [String: String] {
            switch spec.kind {
            case .limit, .goal:
                let usedMs = occurrence.evidence.countedMs ?? thresholdMs
                return ["app": app, "used": words.duration(ms: usedMs), "left": left, "limit": amount]
            case .downtime:
                let restMs = max(0, occurrence.interval.endWallMs - occurrence.dueWallMs)
                return ["limit": range, "left": words.duration(ms: restMs)]
            case .window: return ["app": app, "limit": range]
            case .allow, .unknown: return [:]
            }
        }
    }
}

/// What a rule has to say on its shield.
///
/// Pure: of the rule and of the stretch in which it shuts something.
enum RuleNote {
    static func of(_ rule: Rule, _ closed: ClosedSpan, _ words: NoticeWords) -> ShieldNote {
        // Within bounds whatever is in it: without a note there would be no shield at all.
        ShieldNote(
            rule: TextFormat.fitting(rule.name, bytes: ShieldNote.ruleBytesMax),
            says: says(rule.spec, closed, words).map {
                TextFormat.fitting($0, bytes: ShieldNote.saysBytesMax)
            },
            opensMs: opensMs(rule.spec, closed).flatMap {
                (0..<ZoneRules.lastMs).contains($0) ? $0 : nil
            }
        )
    }

    /// As the notice of the callback that shut it has them.
    private static func says(_ spec: RuleSpec, _ closed: ClosedSpan, _ words: NoticeWords) -> String? {
        guard let say = spec.say else { return nil }
        let range = spec.window.map(RuleWords.window) ?? ""
        switch spec.kind {
        case .limit:
            let usedMs = closed.thresholdMs ?? spec.durationMs ?? 0
            let values = [
                "app": words.names(spec.targets), "used": words.duration(ms: usedMs),
                "left": words.duration(ms: 0), "limit": words.duration(ms: spec.durationMs ?? usedMs),
            ]
            return PlaceholderText.filled(say, values)
        // What is left of it is filled in by who draws it: that gets less while it stands there.
        case .downtime: return PlaceholderText.filled(say, ["limit": range])
        case .window:
            return PlaceholderText.filled(say, ["app": words.names(spec.targets), "limit": range])
        // Meant for the moment in which the goal is reached, when there is no shield any more.
        case .goal, .allow, .unknown: return nil
        }
    }

    /// Nil where it does not open at a time, or nobody can say when.
    private static func opensMs(_ spec: RuleSpec, _ closed: ClosedSpan) -> Int64? {
        switch spec.kind {
        case .limit, .downtime: return closed.endMs
        case .window:
            guard spec.days != nil else { return closed.endMs }
            // Days may follow on which it never opens.
            return next(spec, closed).map { max($0, closed.endMs) }
        // A goal opens it whenever it is met.
        case .goal, .allow, .unknown: return nil
        }
    }

    private static func next(_ spec: RuleSpec, _ closed: ClosedSpan) -> Int64? {
        guard let zone = closed.zone else { return nil }
        return RulePlan.span(spec)?.interval(atOrAfter: closed.endMs, zone: zone)?.startMs
    }
}
