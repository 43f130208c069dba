import STContracts
import STEngine
import STMonitorCore
import STPlatform

/// Where the work stands that monitor-runner's process does beside answering.
struct CoreMonitorCourse {
    /// Whether what is watched has been compared with what should be.
    var isCompared = false
    /// Whether anything has come or been asked since the last look.
    var mustLook = true
    /// When the next pause of a rule ends that something waits for.
    var nextWallMs: Int64?
    /// Whether what shield-service has of the rules has been compared with what it should have.
    var areShieldsCompared = false
    /// When a shield must be put up or looked after by itself.
    var shieldMs: Int64?

    var dueWallMs: Int64? { [nextWallMs, shieldMs].compactMap(\.self).min() }
}

/// What monitor-runner's process does beside answering: it sees to its rules, and makes the callbacks.
extension CoreBackend {
    /// Whether there was anything to do.
    func turnMonitor() throws -> Bool {
        let isDue = monitor.dueWallMs.map { $0 <= time.now().wallMs } ?? false
        guard monitor.mustLook || isDue else { return false }
        let hasWatched = try watchRules()
        let hasShielded = try keepShields()
        let hasTold = try tellHeld()
        let hasDelivered = try deliver()
        // Its own questions are no news.
        monitor.mustLook = hasWatched || hasShielded || hasTold || hasDelivered
        return monitor.mustLook
    }

    func watchRules() throws -> Bool {
        if !monitor.isCompared {
            let actual = try ask(ActivityList.self, .init(app: BuiltInRules.app)).activities
            try stepMonitor("rule.watch.compare") { try RuleSteps.compare(actual, &$0, $2) }
            monitor.isCompared = true
        }
        var hasWatched = false
        while true {
            switch RuleSteps.nextWatch(try cores().monitor.state) {
            case .start(let start, let key):
                var refusal: Problem?
                do {
                    _ = try ask(ActivityStart.self, start, key: "rule/" + key)
                } catch let problem as Problem where !problem.retryable {
                    refusal = problem
                }
                try note(.started(start, refusal))
            case .stop(let stop):
                _ = try ask(ActivityStop.self, stop)
                try note(.stopped(stop))
            case nil: return hasWatched
            }
            hasWatched = true
        }
    }

    private func note(_ watched: RuleWatched) throws {
        try stepMonitor("rule.watch.done") { try RuleSteps.take(watched, &$0, $2) }
    }

    func stepMonitor<Value: Sendable>(_ name: String, _ work: @escaping OwnStep<MonitorState>.Change<Value>)
        throws
        -> Value
    {
        monitor.mustLook = true
        return try step(name, of: try cores().monitor, work)
    }

    private func tellHeld() throws -> Bool {
        var hasTold = false
        while true {
            let held = RuleSteps.held(try cores().monitor.state, nowMs: time.now().wallMs)
            guard let rule = held.rule, let post = held.post else {
                monitor.nextWallMs = held.nextWallMs
                return hasTold
            }
            if held.isCurrent {
                _ = try ask(NotifyPost.self, post, key: "held/" + post.id, cause: post.cause)
            }
            try stepMonitor("rule.held.done") { try RuleSteps.letGo(rule: rule, id: post.id, &$0, $2) }
            hasTold = true
        }
    }

    /// One callback after the other, in the order of the stream.
    private func deliver() throws -> Bool {
        var hasDelivered = false
        while let next = try nextDelivery() {
            hasDelivered = true
            if let refusal = next.refusal {
                try stepMonitor("monitor.delivery.park") { try DeliverySteps.park(next.number, refusal, $2) }
                continue
            }
            let claimed = try stepMonitor("monitor.delivery.begin") {
                try DeliverySteps.begin([next.number], $0, $2)
            }
            for item in claimed {
                let result = make(item.delivery)
                _ = try stepMonitor("monitor.delivery.finish") {
                    try DeliverySteps.finish(
                        item.delivery.number,
                        attempt: item.delivery.attempt,
                        result,
                        $0,
                        $2
                    )
                }
            }
        }
        return hasDelivered
    }

    private func nextDelivery() throws -> NextDelivery? {
        try step("monitor.delivery.next", of: try cores().monitor) {
            try DeliverySteps.next(isSingle: true, $0, $2.database)
        }.first
    }

    private func make(_ delivery: Delivery) -> DeliveryResult {
        guard delivery.app == BuiltInRules.app else { return DeliveryResult(tookMs: 0) }
        do {
            let outcome = try stepMonitor("rule.deliver") {
                try RuleSteps.deliver(delivery.id, delivery.occurrence, &$0, $2)
            }
            var problem: Problem?
            for wanted in outcome.shields {
                let failed = try make(try OutgoingRequest(wanted), cause: delivery.id)
                problem = problem ?? failed
            }
            for (index, post) in outcome.posts.enumerated() {
                let key = "\(delivery.id)/\(index + 1)"
                _ = try ask(NotifyPost.self, post, key: key, cause: delivery.id)
            }
            return DeliveryResult(problem: problem, tookMs: 0)
        } catch {
            return DeliveryResult(
                problem: (error as? Problem) ?? Problem("internal", "\(error)"),
                tookMs: 0
            )
        }
    }
}
