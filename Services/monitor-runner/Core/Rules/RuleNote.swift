import STContracts
import STDomain
import STPlatform

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
