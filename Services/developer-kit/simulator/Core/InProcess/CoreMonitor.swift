import STActivityCore
import STContracts
import STEngine
import STMonitorCore
import STPlatform

/// The background work of monitor-runner, and the notices of activity-center.
extension CoreBackend {
    /// Makes the queued callbacks, one after the other, in the order of the stream. Returns true if there were any.
    func runDueDeliveries() throws -> Bool {
        guard needsDeliveryCheck else { return false }
        needsDeliveryCheck = false
        let monitor = try cores().monitor
        var hasDelivered = false
        while let next = try nextDelivery() {
            hasDelivered = true
            if let refusal = next.refusal {
                try step("monitor.delivery.park", of: monitor) {
                    try DeliverySteps.park(next.number, problem: refusal, change: $2)
                }
                continue
            }
            let claimed = try step("monitor.delivery.begin", of: monitor) {
                try DeliverySteps.begin([next.number], state: $0, change: $2)
            }
            for item in claimed {
                let result = DeliveryResult(tookMs: 0)
                _ = try step("monitor.delivery.finish", of: monitor) {
                    try DeliverySteps.finish(
                        item.delivery.number,
                        attempt: item.delivery.attempt,
                        result: result,
                        state: $0,
                        change: $2
                    )
                }
            }
        }
        return hasDelivered
    }

    private func nextDelivery() throws -> NextDelivery? {
        try read("monitor.delivery.next", of: try cores().monitor) { state, _, database in
            try DeliverySteps.next(isSingle: true, state, database)
        }.first
    }

    /// Posts the notices of the rules. Returns true if there were any.
    func postNotices() throws -> Bool {
        let activity = try cores().activity
        var hasPosted = false
        while true {
            let held = RuleSteps.nextNotice(activity.state, now: time.now().wall)
            guard let rule = held.rule, let post = held.post else {
                noticesWallMs = held.next?.ms
                return hasPosted
            }
            if held.isCurrent {
                do {
                    _ = try send(NotifyPost.self, post, key: "held/" + post.id, cause: post.cause)
                } catch let problem as Problem where !problem.retryable {}
            }
            try step("rule.held.done", of: activity) {
                try RuleSteps.removeNotice(rule: rule, id: post.id, &$0, $2)
            }
            hasPosted = true
        }
    }
}
