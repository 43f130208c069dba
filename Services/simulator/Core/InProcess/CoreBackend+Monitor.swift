import STContracts
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
            _ = try ask(RuleWatchCompare.self, .init(actual: actual))
            monitor.isCompared = true
        }
        var hasWatched = false
        while true {
            let step = try ask(RuleWatchNext.self, Empty())
            if let start = step.start, let key = step.key {
                var done = RuleWatchDone.Request(start: start)
                do {
                    _ = try ask(ActivityStart.self, start, key: "rule/" + key)
                } catch let problem as Problem where !problem.retryable {
                    done.problem = problem
                }
                _ = try ask(RuleWatchDone.self, done)
            } else if let stop = step.stop {
                _ = try ask(ActivityStop.self, stop)
                _ = try ask(RuleWatchDone.self, .init(stop: stop))
            } else {
                return hasWatched
            }
            hasWatched = true
        }
    }

    private func tellHeld() throws -> Bool {
        var hasTold = false
        while true {
            let held = try ask(RuleHeldNext.self, Empty())
            guard let rule = held.rule, let post = held.post else {
                monitor.nextWallMs = held.nextWallMs
                return hasTold
            }
            if held.isCurrent {
                _ = try ask(NotifyPost.self, post, key: "held/" + post.id, cause: post.cause)
            }
            _ = try ask(RuleHeldDone.self, .init(rule: rule, id: post.id))
            hasTold = true
        }
    }

    /// One callback after the other, in the order of the stream.
    private func deliver() throws -> Bool {
        var hasDelivered = false
        while let next = try ask(DeliveryNext.self, .init(except: [], isSingle: true)).deliveries.first {
            hasDelivered = true
            if let refusal = next.refusal {
                _ = try ask(DeliveryPark.self, .init(number: next.number, problem: refusal))
                continue
            }
            for item in try ask(DeliveryBegin.self, .init(numbers: [next.number])).claimed {
                let result = make(item.delivery)
                _ = try ask(
                    DeliveryFinish.self,
                    .init(number: item.delivery.number, attempt: item.delivery.attempt, result: result)
                )
            }
        }
        return hasDelivered
    }

    private func make(_ delivery: Delivery) -> DeliveryResult {
        guard delivery.app == BuiltInRules.app else { return DeliveryResult(tookMs: 0) }
        do {
            let request = RuleDeliver.Request(delivery: delivery.id, occurrence: delivery.occurrence)
            let outcome = try ask(RuleDeliver.self, request)
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
