package import STContracts
import STPlatform

/// How much of a rule is used up, as activity-center counts it.
package struct RuleProgress: Sendable, Equatable {
    package var usedMs: Int64
    package var limitMs: Int64
    package var leftMs: Int64
    package var isReached: Bool

    package init(usedMs: Int64, limitMs: Int64, leftMs: Int64, isReached: Bool) {
        self.usedMs = usedMs
        self.limitMs = limitMs
        self.leftMs = leftMs
        self.isReached = isReached
    }

    /// Of each rule by its id, where one counts at this moment; empty when activity-center cannot say.
    static func all(_ clients: ServiceClients, member: String? = nil) async -> [String: RuleProgress] {
        var progress: [String: RuleProgress] = [:]
        var request = ActivityExplain.Request(app: BuiltInRules.app, member: member)
        repeat {
            let page = try? await clients.call(
                ActivityExplain.self,
                request,
                timeoutMs: SystemView.deadlineMs
            )
            guard let page else { return progress }
            for explained in page.activities { progress[explained.activity.activity] = of(explained) }
            request.next = page.next
        } while request.next != nil
        return progress
    }

    /// Nil while the activity is not under way, and for one that counts nothing.
    package static func of(_ explained: ExplainedActivity) -> RuleProgress? {
        guard explained.isOngoing,
            let event = explained.events.first(where: { $0.event == BuiltInRules.usedEvent })
        else { return nil }
        return RuleProgress(
            usedMs: event.countedMs,
            limitMs: event.thresholdMs,
            leftMs: event.leftMs,
            isReached: event.reached
        )
    }

    /// `12m used, 18m left`; of a goal `12m done, 18m to go`.
    package func text(_ kind: RuleKind) -> String {
        let used = TextFormat.duration(ms: usedMs)
        let left = TextFormat.duration(ms: max(0, leftMs))
        if kind == .goal {
            return isReached || leftMs <= 0 ? "\(used) done, reached" : "\(used) done, \(left) to go"
        }
        return leftMs <= 0 ? "\(used) used, nothing left" : "\(used) used, \(left) left"
    }
}
