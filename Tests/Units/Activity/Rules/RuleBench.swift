import STContracts
import STEngine
import STPlatform
import STTestKit

@testable import STActivityCore

/// Runs the internal steps of activity-center for rules.
extension CoreBench where State == ActivityState {
    func apply(_ occurrence: ActivityOccurrence, event: String) throws {
        let known = try Self.event(
            IntervalStarted.self,
            sequence: Int64(events.count),
            subject: "s",
            body: occurrence
        )
        var header = known.header
        header.id = event
        try step { [header] in try RuleSteps.apply(occurrence, event: header, state: &$0, change: $2) }
    }

    var held: NextRuleNotice { RuleSteps.nextNotice(state, now: time.now().wall) }

    func letGo(rule: String, id: String) throws {
        try step { try RuleSteps.removeNotice(rule: rule, id: id, &$0, $2) }
    }

    /// The next moment at which a rule changes without a request.
    var rulesDue: Deadlines { ScheduledRuleChanges.due(state.rules, bootID: time.bootID) }

    /// Applies due changes to the rules, but not to the intervals of activities.
    @discardableResult
    func passRules() throws -> [DroppedChange] {
        try step { state, context, change in
            try state.changeRules(change) { book in
                let dropped = ScheduledRuleChanges.apply(context, in: &book)
                book.updateShields(now: change.now.wall)
                return dropped
            }
        }
    }

    @discardableResult
    func tick() throws -> [DroppedChange] {
        try step { try ActivityRules.tick(&$0, context: $1, change: $2).dropped }
    }
}
