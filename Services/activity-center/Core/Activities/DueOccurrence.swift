package import STContracts

/// Something to tell, before it is written down.
package struct DueOccurrence: Sendable, Equatable {
    package var key: ActivityKey
    package var event: String?
    package var occasion: ActivityOccasion
    package var dueWallMs: Int64
    package var dueBootMs: Int64?
    package var interval: IntervalSpan
    package var evidence: ActivityEvidence

    /// What falls on one instant is told in this order: an end before the start that shares its border, and
    /// intervals before what was counted in them.
    private var rank: Int {
        switch occasion {
        case .intervalEnded: 0
        case .intervalStarted: 1
        case .intervalWillEnd: 2
        case .intervalWillStart: 3
        case .thresholdWarning: 4
        case .thresholdReached: 5
        case .unknown: 6
        }
    }

    static func isBefore(_ one: DueOccurrence, _ other: DueOccurrence) -> Bool {
        if one.dueWallMs != other.dueWallMs { return one.dueWallMs < other.dueWallMs }
        if one.rank != other.rank { return one.rank < other.rank }
        if one.key != other.key { return one.key.isBefore(other.key) }
        return (one.event ?? "") < (other.event ?? "")
    }

    package var body: ActivityOccurrence {
        ActivityOccurrence(
            app: key.app,
            member: key.member,
            activity: key.activity,
            event: event,
            occasion: occasion,
            dueWallMs: dueWallMs,
            dueBootMs: dueBootMs,
            interval: interval,
            evidence: evidence
        )
    }
}

extension ActivityKey {
    func isBefore(_ other: ActivityKey) -> Bool {
        (app, member, activity) < (other.app, other.member, other.activity)
    }

    package var text: String { "\(app)/\(member)/\(activity)" }
}
