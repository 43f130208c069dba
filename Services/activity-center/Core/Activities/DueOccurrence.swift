package import STContracts
import STDomain
import STPlatform

/// An occurrence that is due and not published yet.
package struct DueOccurrence: Codable, Sendable, Equatable {
    package var key: ActivityKey
    package var event: String?
    package var occasion: ActivityOccasion
    package var dueWallMs: Int64
    package var dueBootMs: Int64?
    package var interval: IntervalSpan
    package var evidence: ActivityEvidence

    /// The order of occurrences at the same instant: an end before a start, and intervals before the thresholds in them.
    private var rank: Int {
        switch occasion {
        case .intervalEnded: 0
        case .intervalStarted: 1
        case .intervalWillEnd: 2
        case .intervalWillStart: 3
        case .thresholdWarning: 4
        case .thresholdReached: 5
        case .thresholdReturned: 6
        case .unknown: 7
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

extension DueOccurrence {
    /// Creates the occurrence for a threshold or warning that a stretch of usage crossed.
    init(
        _ crossing: BudgetCrossing,
        event: WatchedEvent,
        of key: ActivityKey,
        interval: IntervalSpan,
        stretch: UsageInterval,
        note: Message? = nil
    ) {
        self.init(
            key: key,
            event: event.spec.name,
            occasion: crossing.kind == .warning ? .thresholdWarning : .thresholdReached,
            dueWallMs: stretch.wall(at: BootTime(ms: crossing.atBootMs)).ms,
            // The boot time of another machine has no meaning here.
            dueBootMs: stretch.device == nil ? crossing.atBootMs : nil,
            interval: interval,
            evidence: ActivityEvidence(
                rule: EventText.ruleText(event.budget),
                countedMs: crossing.usedMs,
                thresholdMs: event.budget.thresholdMs,
                warningMs: event.budget.warningMs,
                carriedMs: event.carried > .zero ? event.carried.ms : nil,
                parts: event.parts,
                more: event.more,
                note: note
            )
        )
    }
}

/// The reasons why an occurrence was sent at an unusual time.
enum EvidenceNotes {
    static let clockForwardAndBack = Message(
        "evidence.clock-forward-and-back",
        "The clock was set forward and back again."
    )
    static let usedUpBefore = Message(
        "evidence.used-up-before-change",
        "The time was used up before the clock or the time zone was changed."
    )
    static let phoneFault = Message(
        "evidence.phone-fault",
        "This simulates a fault that sometimes occurs on phones."
    )
    static let pastIncluded = Message(
        "evidence.counted-past",
        "Usage from before monitoring began is included."
    )

    static func newAllowance(after spacing: Duration) -> Message {
        let length = MessageValue.duration(ms: spacing.ms)
        return Message(
            "evidence.new-allowance",
            "A new allowance begins at least \(length, "length") after the last one."
        )
    }

    static func clockSet(by step: Duration) -> Message {
        let length = MessageValue.duration(ms: abs(step.ms))
        return step > .zero
            ? Message("evidence.clock-forward", "The clock was set forward by \(length, "length").")
            : Message("evidence.clock-back", "The clock was set back by \(length, "length").")
    }
}
