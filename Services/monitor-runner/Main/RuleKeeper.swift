import STBus
import STContracts
import STEngine
import STMonitorCore
import STPlatform
import STServiceKit
import STZeroMQ

/// Starts and stops the activities of the built-in rules, posts their notices, and updates decisions as time passes.
actor RuleKeeper {
    private static let retry = Backoff(firstMs: 200, limitMs: 5_000)
    /// No list of activities or stores has that many pages.
    private static let pagesMax = 50

    private let host: ServiceHost<MonitorState>
    private let surroundings: Surroundings
    private let client: BusClient
    /// Rings when a pause with held notices or shields ends, and when a downtime or limit should have ended.
    private let dueAgain: DueAlarm
    /// Rings when a change that waits may be made.
    private let waitingDue: DueAlarm
    private var heldMs: Int64?
    private var shieldMs: Int64?
    private var work: Task<Void, Never>?
    private var hasMore = false
    /// Whether activity-center's activities have been compared with the rules, once after each start and journey.
    private var isCompared = false
    private var comparedZone: String?
    /// When to ask, once after each start, what is under way; by boot time.
    private var openBootMs: Int64?
    private var isOpened = false

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ host: ServiceHost<MonitorState>, _ surroundings: Surroundings) throws {
        self.host = host
        self.surroundings = surroundings
        client = surroundings.makeClient()
        dueAgain = try Self.alarm(host.bell, surroundings)
        waitingDue = try Self.alarm(host.bell, surroundings)
    }

    private static func alarm(_ bell: Doorbell, _ surroundings: Surroundings) throws -> DueAlarm {
        try DueAlarm(surroundings.loop.thread, surroundings.time, onStep: { bell.ring() }) { bell.ring() }
    }

    /// Something may have changed: begins the work and returns at once, since no caller waits for it.
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
        waitingDue.set()
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
            // Trying again does not help here, so the next look is after the next change.
            guard problem.retryable else { continue }
            hasMore = true
            try? await Task.sleep(for: .milliseconds(Self.retry.delayMs(attempt: failures)))
        }
        // No await since the last look, so a later call of `look` starts a new task.
        work = nil
        surroundings.pulse.end()
    }

    /// Does all the work there is; a service that does not answer does not hold up the others.
    ///
    /// Returns the first problem that a retry may solve, else the first one.
    private func turn() async -> Problem? {
        var problems: [Problem] = []
        // First, because it changes what to watch and shield.
        do { try await makeWaiting() } catch { problems.append(Problem(error)) }
        do { try await watch() } catch { problems.append(Problem(error)) }
        do { try await openUnderWay() } catch { problems.append(Problem(error)) }
        do { try await keepShields() } catch { problems.append(Problem(error)) }
        do { try await tellHeld() } catch { problems.append(Problem(error)) }
        return problems.first(where: \.retryable) ?? problems.first
    }

    // MARK: - Changes that wait

    private func makeWaiting() async throws {
        while !Task.isCancelled {
            let (due, now) = try await host.read { (RuleSteps.waitingDue($0, $1), $1.now) }
            guard due.isReached(at: now) else {
                waitingDue.set(wallMs: due.wallMs, bootMs: due.bootMs)
                return
            }
            let dropped = try await host.step("rule.waiting.apply") {
                try RuleSteps.applyWaiting(&$0, $1, $2)
            }
            for change in dropped {
                surroundings.log.problem("rule_change_dropped", change.problem, ["rule": .text(change.rule)])
            }
        }
    }

    // MARK: - What is watched

    private func watch() async throws {
        let zone = surroundings.time.zone()
        // In another zone days end at another moment, and activity-center sends no callback for that.
        if !isCompared || zone != comparedZone {
            let actual = try await actual()
            // activity-center may notice a journey later; then the next look asks again.
            let isThere = actual.allSatisfy { ($0.interval?.zone ?? zone) == zone }
            if !isCompared || isThere {
                try await host.step("rule.watch.compare") { try RuleSteps.compare(actual, &$0, $2) }
            }
            isCompared = true
            if isThere { comparedZone = zone }
        }
        while !Task.isCancelled {
            switch RuleSteps.nextWatch(try await host.state) {
            case .start(let start, let key): try await take(start, key)
            case .stop(let stop):
                _ = try await client.call(ActivityStop.self, stop)
                try await note(.stopped(stop))
            case nil: return
            }
        }
    }

    private func take(_ start: ActivityStart.Request, _ key: String) async throws {
        var refusal: Problem?
        do {
            _ = try await client.call(ActivityStart.self, start, CallOptions(idempotencyKey: "rule/" + key))
        } catch let problem as Problem where !problem.retryable {
            // The rule shows the problem until it is edited or the service restarts.
            surroundings.log.problem("rule_not_watched", problem, ["rule": .text(start.activity)])
            refusal = problem
        }
        try await note(.started(start, refusal))
    }

    private func note(_ watched: RuleWatched) async throws {
        try await host.step("rule.watch.done") { try RuleSteps.take(watched, &$0, $2) }
    }

    /// Finds downtimes under way and used-up limits whose callback never arrived.
    private func openUnderWay() async throws {
        guard !isOpened else { return }
        let nowMs = surroundings.time.now().bootMs
        let openMs = openBootMs ?? nowMs + RuleBook.openAfterMs
        openBootMs = openMs
        guard nowMs >= openMs else { return }
        guard try await host.state.hasRules else {
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
        if !found.isEmpty {
            try await host.step("rule.open") { [found] in try RuleSteps.open(found, &$0, $2) }
        }
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

    // MARK: - Notices

    private func tellHeld() async throws {
        while !Task.isCancelled {
            let held = try await host.read { RuleSteps.held($0, nowMs: $1.now.wallMs) }
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
            try await host.step("rule.held.done") { try RuleSteps.letGo(rule: rule, id: post.id, &$0, $2) }
        }
    }

    // MARK: - Shields

    /// Updates decisions that change with time, and queries activity-center about overdue intervals.
    private func keepShields() async throws {
        while !Task.isCancelled {
            let due = try await host.read { RuleSteps.due($0, nowMs: $1.now.wallMs) }
            shieldMs = due.nextWallMs
            if due.mustCheck {
                isCompared = false
                try await watch()
            } else if due.mustSettle {
                try await host.step("rule.shield.settle") { try RuleSteps.settle(&$0, $2) }
            } else {
                return
            }
        }
    }
}
