import STBus
import STContracts
import STMonitorCore
import STPlatform
import STServiceKit
import STZeroMQ

/// Keeps the built-in rules: sees to it that activity-center watches for them and shield-service shields for them,
/// answers their callbacks, and tells after a pause what happened in it.
actor RuleKeeper: BuiltInDeliveries {
    private static let retry = Backoff(firstMs: 200, limitMs: 5_000)
    /// Of a list of what is watched; there are fewer pages than that.
    private static let pagesMax = 50

    let host: ServiceHost<MonitorState>
    let surroundings: Surroundings
    let client: BusClient
    /// Rings at the end of a pause that something waits for, and when something should have ended.
    private let dueAgain: DueAlarm
    private let waiting: RuleWaitingKeeper
    private var heldMs: Int64?
    var shieldMs: Int64?
    private var work: Task<Void, Never>?
    private var hasMore = false
    /// Whether what is watched has been compared with what should be, once after each start and each journey.
    var isCompared = false
    private var comparedZone: String?
    /// The same of what shield-service has.
    var areShieldsCompared = false
    /// When what goes on is asked about, by boot time; once after each start.
    private var openBootMs: Int64?
    private var isOpened = false

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ host: ServiceHost<MonitorState>, _ surroundings: Surroundings) throws {
        self.host = host
        self.surroundings = surroundings
        client = BusClient(loop: surroundings.loop) { [directories = surroundings.directories] service in
            try directories.endpoint(service: service.rawValue, .rpc)
        }
        waiting = try RuleWaitingKeeper(host, surroundings)
        let bell = host.bell
        dueAgain = try DueAlarm(surroundings.loop.thread, surroundings.time, onStep: { bell.ring() }) {
            bell.ring()
        }
    }

    nonisolated func deliver(_ delivery: Delivery) async throws -> [OutgoingRequest] {
        let request = RuleDeliver.Request(delivery: delivery.id, occurrence: delivery.occurrence)
        let reply = try await host.callSelf(RuleDeliver.self, request)
        return try reply.shields.map { try OutgoingRequest($0) }
            + reply.posts.map { try OutgoingRequest(NotifyPost.self, $0) }
    }

    nonisolated func answered(_ request: OutgoingRequest, _ problem: Problem?) async throws {
        guard let key = request.key else { return }
        _ = try await host.callSelf(RuleShieldDone.self, .init(key: key, problem: problem))
    }

    /// Something may have changed: returns at once, as nobody waits for what there is to do.
    func look() {
        hasMore = true
        guard work == nil else { return }
        surroundings.pulse.begin()
        work = Task(executorPreference: surroundings.loop.thread, priority: .medium) {
            await self.workOff()
        }
    }

    func stop() async {
        work?.cancel()
        await work?.value
        dueAgain.set()
        waiting.stop()
        await client.close()
    }

    private func workOff() async {
        var failures = 0
        while hasMore, !Task.isCancelled {
            hasMore = false
            let problem = await turn()
            dueAgain.set(
                wallMs: [heldMs, shieldMs].compactMap(\.self).min(),
                bootMs: isOpened ? nil : openBootMs
            )
            guard let problem else {
                failures = 0
                continue
            }
            if failures == 0 { surroundings.log.problem("rules_wait", problem) }
            failures += 1
            // What trying again does not mend is looked at when something has changed.
            guard problem.retryable else { continue }
            hasMore = true
            try? await Task.sleep(for: .milliseconds(Self.retry.delayMs(attempt: failures)))
        }
        // In the same turn as the last look: what comes from here on begins work of its own.
        work = nil
        surroundings.pulse.end()
    }

    /// Why something could not be done; one service that does not answer keeps nothing from the others.
    private func turn() async -> Problem? {
        var problems: [Problem] = []
        // First: it changes what is to be watched and shielded.
        do { try await waiting.look() } catch { problems.append(DeliveryRunner.problem(error)) }
        do { try await watch() } catch { problems.append(DeliveryRunner.problem(error)) }
        do { try await openUnderWay() } catch { problems.append(DeliveryRunner.problem(error)) }
        do { try await keepShields() } catch { problems.append(DeliveryRunner.problem(error)) }
        do { try await tellHeld() } catch { problems.append(DeliveryRunner.problem(error)) }
        return problems.first(where: \.retryable) ?? problems.first
    }

    // MARK: - What is watched

    func watch() async throws {
        let zone = surroundings.time.zone()
        // Days end at another moment there, which nobody is called for.
        if !isCompared || zone != comparedZone {
            let actual = try await actual()
            // Activity-center may notice a journey later: then it is asked again at the next look.
            let isThere = actual.allSatisfy { ($0.interval?.zone ?? zone) == zone }
            if !isCompared || isThere {
                _ = try await host.callSelf(RuleWatchCompare.self, .init(actual: actual))
            }
            isCompared = true
            if isThere { comparedZone = zone }
        }
        while !Task.isCancelled {
            let step = try await host.callSelf(RuleWatchNext.self, Empty())
            if let start = step.start, let key = step.key {
                try await take(start, key)
            } else if let stop = step.stop {
                _ = try await client.call(ActivityStop.self, stop)
                _ = try await host.callSelf(RuleWatchDone.self, .init(stop: stop))
            } else {
                return
            }
        }
    }

    private func take(_ start: ActivityStart.Request, _ key: String) async throws {
        var done = RuleWatchDone.Request(start: start)
        do {
            _ = try await client.call(ActivityStart.self, start, CallOptions(idempotencyKey: "rule/" + key))
        } catch let problem as Problem where !problem.retryable {
            // It stands beside the rule until the rule is changed or the service starts anew.
            surroundings.log.problem("rule_not_watched", problem, ["rule": .text(start.activity)])
            done.problem = problem
        }
        _ = try await host.callSelf(RuleWatchDone.self, done)
    }

    /// A downtime under way or a limit that is used up, whose callback never came here.
    private func openUnderWay() async throws {
        guard !isOpened else { return }
        let nowMs = surroundings.time.now().bootMs
        let openMs = openBootMs ?? nowMs + RuleBook.openAfterMs
        openBootMs = openMs
        guard nowMs >= openMs else { return }
        guard try await !host.callSelf(RuleList.self, .init()).rules.isEmpty else {
            isOpened = true
            return
        }
        var found: [RuleUnderWay] = []
        var request = ActivityExplain.Request(app: BuiltInRules.app)
        for _ in 0..<Self.pagesMax {
            let page = try await client.call(ActivityExplain.self, request)
            found += page.activities.compactMap(Self.underWay)
            guard let next = page.next else { break }
            request.next = next
        }
        if !found.isEmpty { _ = try await host.callSelf(RuleOpen.self, .init(underWay: found)) }
        isOpened = true
    }

    private static func underWay(_ explained: ExplainedActivity) -> RuleUnderWay? {
        guard explained.isOngoing, let interval = explained.activity.interval else { return nil }
        return RuleUnderWay(
            member: explained.activity.member,
            activity: explained.activity.activity,
            interval: IntervalSpan(
                startWallMs: interval.startWallMs,
                endWallMs: interval.endWallMs,
                zone: interval.zone
            ),
            reachedMs: explained.events.first { $0.event == BuiltInRules.usedEvent && $0.reached }?
                .thresholdMs
        )
    }

    private func actual() async throws -> [ActivityView] {
        var request = ActivityList.Request(app: BuiltInRules.app)
        var list: [ActivityView] = []
        for _ in 0..<Self.pagesMax {
            let page = try await client.call(ActivityList.self, request)
            list += page.activities
            guard let next = page.next else { return list }
            request.next = next
        }
        return list
    }

    // MARK: - After a pause

    private func tellHeld() async throws {
        while !Task.isCancelled {
            let held = try await host.callSelf(RuleHeldNext.self, Empty())
            guard let rule = held.rule, let post = held.post else {
                heldMs = held.nextWallMs
                return
            }
            if held.isCurrent {
                do {
                    _ = try await client.call(
                        NotifyPost.self,
                        post,
                        CallOptions(idempotencyKey: "held/" + post.id, cause: post.cause)
                    )
                } catch let problem as Problem where !problem.retryable {
                    surroundings.log.problem("not_told", problem, ["rule": .text(rule)])
                }
            }
            _ = try await host.callSelf(RuleHeldDone.self, .init(rule: rule, id: post.id))
        }
    }
}
