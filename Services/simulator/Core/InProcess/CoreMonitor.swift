import STContracts
import STEngine
import STMonitorCore
import STPlatform

/// How far the work has come that monitor-runner's process does besides answering.
struct CoreMonitorCourse {
    /// Whether activity-center's activities have been compared with the rules.
    var isCompared = false
    /// Whether a request or an event has arrived since the last look.
    var mustLook = true
    /// When the next pause ends that holds back a notice.
    var nextWallMs: Int64?
    /// When a shield must change with time.
    var shieldMs: Int64?

    /// When a change that waits is made, or a pause, a session or a break is over.
    var waiting = DueMoments()

    var due: DueMoments {
        DueMoments(wallMs: [nextWallMs, shieldMs].compactMap(\.self).min()).merged(with: waiting)
    }
}

/// The work that monitor-runner's process does besides answering: rules, shields and callbacks.
extension CoreBackend {
    /// Whether there was anything to do.
    func turnMonitor() throws -> Bool {
        guard monitor.mustLook || monitor.due.isReached(at: time.now()) else { return false }
        let hasWaited = try makeWaiting()
        let hasWatched = try watchRules()
        let hasShielded = try keepShields()
        let hasTold = try tellHeld()
        let hasDelivered = try deliver()
        // Its own questions do not call for another look.
        monitor.mustLook = hasWaited || hasWatched || hasShielded || hasTold || hasDelivered
        return monitor.mustLook
    }

    private func makeWaiting() throws -> Bool {
        var hasMade = false
        while true {
            let (due, now) = try look("rule.waiting", of: try cores().monitor) { state, context, _ in
                (RuleSteps.waitingDue(state, context), context.now)
            }
            monitor.waiting = due
            guard due.isReached(at: now) else { return hasMade }
            _ = try stepMonitor("rule.waiting.apply") { try RuleSteps.applyWaiting(&$0, $1, $2) }
            hasMade = true
        }
    }

    private func watchRules() throws -> Bool {
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

    private func stepMonitor<Value: Sendable>(
        _ name: String,
        _ work: @escaping OwnStep<MonitorState>.Change<Value>
    )
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
                do {
                    _ = try ask(NotifyPost.self, post, key: "held/" + post.id, cause: post.cause)
                } catch let problem as Problem where !problem.retryable {}
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
                let result = DeliveryResult(tookMs: 0)
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
        try look("monitor.delivery.next", of: try cores().monitor) { state, _, database in
            try DeliverySteps.next(isSingle: true, state, database)
        }.first
    }

    // MARK: - Shields

    /// Whether there was anything to do.
    private func keepShields() throws -> Bool {
        var hasKept = false
        while true {
            let due = RuleSteps.due(try cores().monitor.state, nowMs: time.now().wallMs)
            monitor.shieldMs = due.nextWallMs
            if due.mustCheck {
                monitor.isCompared = false
                _ = try watchRules()
            } else if due.mustSettle {
                try stepMonitor("rule.shield.settle") { try RuleSteps.settle(&$0, $2) }
            } else {
                return hasKept
            }
            hasKept = true
        }
    }
}
