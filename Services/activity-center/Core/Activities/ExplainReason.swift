import STDomain

/// Why use has counted, or has not.
enum ExplainReason: Int {
    case counted, before, other, shielded, nobody, unseen, asleep

    func sentence(_ event: WatchedEvent) -> String {
        switch self {
        case .counted: "counts as \(EventText.things(event.budget.target))"
        case .before: "not counted because it was before the watching began"
        case .other: "not counted because it is not in \(EventText.things(event.budget.target))"
        case .shielded: "not counted because a shield was in front of it"
        case .nobody: "not counted because nobody was there"
        case .unseen: "not counted because nothing could see it"
        case .asleep: "not counted because the computer slept"
        }
    }
}
