import STActivityCore
import STBus
import STContracts
import STEngine
import STPlatform
import STServiceKit
import STZeroMQ

/// Posts the notices of the rules to notifier. A notice stays in the database until notifier accepts it or it is out of date.
actor RuleNoticeSender {
    private static let retry = Backoff(firstMs: 200, limitMs: 5_000)

    private let host: ServiceHost<ActivityState>
    private let surroundings: ServiceEnvironment
    private let client: BusClient
    /// Signals the end of a pause that delays a notice.
    private let due: DeadlineTimer
    private var work: Task<Void, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ host: ServiceHost<ActivityState>, _ surroundings: ServiceEnvironment) throws {
        self.host = host
        self.surroundings = surroundings
        client = surroundings.makeClient()
        let bell = host.changeSignal
        due = try DeadlineTimer(surroundings.loop.thread, time: surroundings.time, onStep: { bell.signal() })
        {
            bell.signal()
        }
    }

    /// Starts to post if a notice is due. Returns without waiting for notifier.
    func refresh() async {
        // Another call may start the task during the await.
        guard work == nil, let held = try? await next(), work == nil else { return }
        due.set(wallMs: held.next?.ms)
        guard held.post != nil else { return }
        surroundings.hold.begin()
        work = Task(executorPreference: surroundings.loop.thread, priority: .medium) {
            await self.postAll()
        }
    }

    func stop() async {
        work?.cancel()
        await work?.value
        due.set()
        await client.close()
    }

    private func next() async throws -> NextRuleNotice {
        try await host.read { RuleSteps.nextNotice($0, now: $1.now.wall) }
    }

    private func postAll() async {
        var failures = 0
        while !Task.isCancelled {
            do {
                let held = try await next()
                due.set(wallMs: held.next?.ms)
                guard let rule = held.rule, let post = held.post else { break }
                if held.isCurrent { try await send(post, rule) }
                try await host.step("rule.held.done") {
                    try RuleSteps.removeNotice(rule: rule, id: post.id, &$0, $2)
                }
                failures = 0
            } catch {
                if failures == 0 { surroundings.log.problem("notices_wait", Problem(error)) }
                failures += 1
                try? await Task.sleep(for: .milliseconds(Self.retry.delayMs(attempt: failures)))
            }
        }
        // There was no await since the last check, so a later call of `look` starts a new task.
        work = nil
        surroundings.hold.end()
    }

    private func send(_ post: NotifyPost.Request, _ rule: String) async throws {
        do {
            _ = try await client.call(
                NotifyPost.self,
                post,
                options: CallOptions(idempotencyKey: "held/" + post.id, cause: post.cause)
            )
        } catch let problem as Problem where !problem.retryable && !Task.isCancelled {
            surroundings.log.problem("not_told", problem, fields: ["rule": .text(rule)])
        }
    }
}
