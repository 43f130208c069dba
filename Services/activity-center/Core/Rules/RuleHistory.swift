import STContracts
import STPlatform
import STRules

/// The rules and the places of decisions that differ between two rule books. Both lists are sorted.
struct RuleDifference {
    let rules: [String]
    let places: [RuleShields.Place]

    /// `ids`: the rules that can differ, or nil for all rules.
    init(from old: RuleState, to new: RuleState, of ids: Set<String>? = nil) {
        rules = (ids ?? Set(old.rules.keys).union(new.rules.keys)).filter { old.rules[$0] != new.rules[$0] }
            .sorted()
        places = old.places(of: ids).union(new.places(of: ids)).filter {
            old.shields.decisions[$0] != new.shields.decisions[$0]
        }
        .sorted()
    }
}

/// The history lines for the changes between two states of the rules.
enum RuleHistory {
    /// Returns the reason that the history records for a change on another machine of the household.
    static func changed(on device: String?) -> Message {
        device.map { Message("history-why.changed-on", "changed on \($0, "machine")") }
            ?? Message("history-why.changed-elsewhere", "changed on another machine")
    }

    static func lines(
        from old: RuleState,
        to new: RuleState,
        _ difference: RuleDifference,
        by: String?,
        now: WallTime
    ) -> [HistoryLine] {
        let rules = difference.rules.flatMap { id -> [HistoryLine] in
            let (before, after) = (old.rules[id], new.rules[id])
            return [
                change(before, new: after, by: by, now: now),
                pause(before, new: after, by: by, now: now),
            ].compactMap(\.self)
        }
        let members = Set(old.delays.keys).union(new.delays.keys).sorted()
        return rules + members.compactMap { delay($0, old: old.delays[$0], new: new.delays[$0], by: by) }
    }

    private static func change(_ old: Rule?, new: Rule?, by: String?, now: WallTime) -> HistoryLine? {
        // A change that still waits is not recorded yet.
        let before = old?.isInEffect == true ? old?.spec : nil
        let after = new?.isInEffect == true ? new?.spec : nil
        guard before != after, let rule = new ?? old else { return nil }
        // The end of a session is not recorded as a change.
        if new == nil, old?.spec.kind == .session, let ends = old?.ends, ends.wallMs <= now.ms { return nil }
        return HistoryLine(
            .rule,
            RuleLoosening.isLooser(from: before, to: after) ? .loosened : .tightened,
            about: rule.name,
            member: rule.member,
            by: by ?? old?.waiting?.by,
            before: before.map { RuleText.summary($0) },
            after: after.map { RuleText.summary($0) }
        )
    }

    /// Returns the line for a pause that began, ended early or changed. A pause that comes to its end is not recorded.
    private static func pause(_ old: Rule?, new: Rule?, by: String?, now: WallTime) -> HistoryLine? {
        guard let new, old?.pausedUntilMs != new.pausedUntilMs else { return nil }
        let (before, after) = (left(old, now), left(new, now))
        guard before > .zero || after > .zero else { return nil }
        return HistoryLine(
            .pause,
            after > before ? .loosened : .tightened,
            about: new.name,
            member: new.member,
            by: by ?? old?.waiting?.by,
            before: before > .zero ? RuleText.length(before) : nil,
            after: after > .zero ? RuleText.length(after) : nil
        )
    }

    private static func left(_ rule: Rule?, _ now: WallTime) -> Duration {
        guard let rule, rule.isPaused(now: now) else { return .zero }
        return max(.zero, (rule.pausedUntil ?? now) - now)
    }

    private static func delay(_ member: String, old: MemberDelay?, new: MemberDelay?, by: String?)
        -> HistoryLine?
    {
        let (before, after) = (old?.delayMs ?? 0, new?.delayMs ?? 0)
        guard before != after else { return nil }
        return HistoryLine(
            .delay,
            after < before ? .loosened : .tightened,
            member: member,
            by: by ?? old?.nextBy,
            before: RuleText.length(.milliseconds(before)),
            after: RuleText.length(.milliseconds(after))
        )
    }
}
