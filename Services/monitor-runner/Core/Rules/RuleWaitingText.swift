import STContracts
import STPlatform

/// What a change that waits will do, in plain words.
enum RuleWaitingText {
    static func view(_ rule: Rule) -> PendingChange? {
        rule.waiting.map { change in
            PendingChange(
                change: change.kind.rawValue,
                text: text(change, rule.spec),
                askedAt: RFC3339.text(wallMs: change.askedMs),
                takesEffectWallMs: change.moment.wallMs
            )
        }
    }

    private static func text(_ change: WaitingChange, _ old: RuleSpec) -> String {
        switch change.kind {
        case .add: return "it begins to hold"
        case .remove: return "it is removed"
        case .pause: return "it is paused for \(TextFormat.duration(ms: change.forMs ?? 0))"
        case .edit:
            guard let new = change.spec else { return "" }
            let parts = differences(old, new)
            return parts.isEmpty ? "its words change" : parts.joined(separator: ", ")
        }
    }

    private static func differences(_ old: RuleSpec, _ new: RuleSpec) -> [String] {
        let pairs: [(String, String)] = [
            (old.name ?? "", new.name ?? ""),
            (things(old.targets), things(new.targets)),
            (amount(old), amount(new)),
            (old.window.map(RuleWords.window) ?? "", new.window.map(RuleWords.window) ?? ""),
            (days(old.days), days(new.days)),
            (things(old.opens ?? []), things(new.opens ?? [])),
            (old.then?.rawValue ?? "", new.then?.rawValue ?? ""),
        ]
        return pairs.filter { $0.0 != $0.1 }.map { "\($0.0) becomes \($0.1)" }
    }

    private static func things(_ items: [TokenItem]) -> String {
        items.isEmpty ? "everything" : RuleWords.names(items)
    }

    private static func amount(_ spec: RuleSpec) -> String {
        spec.durationMs.map { TextFormat.duration(ms: $0) } ?? ""
    }

    private static func days(_ days: [Int]?) -> String {
        guard let days, !days.isEmpty else { return "every day" }
        return days.filter { (1...7).contains($0) }.map { CalendarNames.shortDay($0) }.joined(separator: " ")
    }
}
