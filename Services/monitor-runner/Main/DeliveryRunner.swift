import STBus
import STContracts
import STEngine
import STExtensions
import STMonitorCore
import STPlatform
import STServiceKit
import STZeroMQ

/// Makes the waiting callbacks: one at a time for each app, and for several apps simultaneously.
///
/// On a virtual clock, only one callback runs at a time, in the order of the stream. A day therefore always runs the same way.
actor DeliveryRunner {
    private static let servedMax = 16
    private static let retry = Backoff(firstMs: 200, limitMs: 5_000)
    /// A virtual day may pass in a second, so the pause between attempts is short.
    private static let virtualDelay = Duration.milliseconds(20)
    /// Upper bound on the checks of a callback. They wait half a minute for the event of a permission that auth-service already
    /// confirms.
    private static let looksMax = 40

    private let host: ServiceHost<MonitorState>
    private let surroundings: ServiceEnvironment
    private let services: ServiceRequester<MonitorState>
    private let output: OutputWriter<MonitorState>
    private let extensions: ExtensionHost
    private let isVirtual: Bool
    private let retryTimer: LoopTimer
    /// The apps that are being called.
    private var served: [String: Task<Void, Never>] = [:]
    /// The apps whose next attempt comes later, with its real time. A virtual clock waits for it.
    private var delayed: [String: Int64] = [:]
    private var checks: [Int64: Int] = [:]
    private var debugged: [String: ExtensionSpec] = [:]
    private var isStopping = false

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(
        _ asking: ServiceRequester<MonitorState>,
        extensions: ExtensionHost,
        output: OutputWriter<MonitorState>
    ) {
        host = asking.host
        surroundings = asking.surroundings
        self.services = asking
        self.extensions = extensions
        self.output = output
        isVirtual = asking.surroundings.time.virtual != nil
        retryTimer = LoopTimer(asking.surroundings.loop.thread) { [bell = asking.host.changeSignal] in
            bell.signal()
        }
    }

    func run() async {
        host.changeSignal.signal()
        var failures = 0
        for await _ in host.changeSignal.signals {
            do {
                try await debug()
                try await serveDue()
                failures = 0
                // The alarm keeps one moment only, so the next one is set whenever it may have rung.
                if let next = delayed.values.min() {
                    retryTimer.fire(afterMs: next - Stopwatch.milliseconds())
                }
            } catch {
                let problem = Problem(error)
                if failures == 0 { surroundings.log.problem("not_delivered", problem) }
                failures += 1
                retryTimer.fire(afterMs: Self.retry.delayMs(attempt: failures))
            }
        }
        isStopping = true
        await extensions.stop()
        for task in served.values { await task.value }
        await output.flush()
        await services.client.close()
    }

    // MARK: - What is due

    /// Starts every callback that may start.
    private func serveDue() async throws {
        while !isStopping, served.count < (isVirtual ? 1 : Self.servedMax) {
            let now = Stopwatch.milliseconds()
            for (app, dueMs) in delayed where dueMs <= now { setDelay(app, nil) }
            let (except, isSingle) = (Set(served.keys).union(delayed.keys), isVirtual)
            let next = try await host.readStore("monitor.delivery.next") { state, _, database in
                try DeliverySteps.next(except: except, isSingle: isSingle, state, database)
            }
            guard !next.isEmpty else { return }
            for delivery in next where served.count < Self.servedMax {
                if let refusal = delivery.refusal { serve(delivery.app, .refuse(delivery, refusal)) }
            }
            let numbers = next.filter { $0.refusal == nil && served[$0.app] == nil }.map(\.number)
                .prefix(max(0, Self.servedMax - served.count))
            guard !numbers.isEmpty else { continue }
            let claimed = try await host.step("monitor.delivery.begin") {
                try DeliverySteps.begin(Array(numbers), state: $0, change: $2)
            }
            for item in claimed { serve(item.delivery.app, .deliver(item)) }
            // The next turn finds the reason why a delivery could not be claimed.
            if claimed.count < numbers.count { host.changeSignal.signal() }
            if claimed.isEmpty { return }
        }
    }

    private enum Work: Sendable {
        case deliver(ClaimedDelivery)
        case refuse(NextDelivery, Problem)
    }

    private func serve(_ app: String, _ work: Work) {
        surroundings.hold.begin()
        served[app] = Task(executorPreference: surroundings.loop.thread, priority: .medium) {
            await self.perform(app, work)
        }
    }

    private func perform(_ app: String, _ work: Work) async {
        switch work {
        case .deliver(let item): await deliver(item)
        case .refuse(let next, let refusal): await refuse(next, refusal)
        }
        served[app] = nil
        host.changeSignal.signal()
        surroundings.hold.end()
    }

    /// Holds back the app's next callback for the delay; nil ends the wait.
    private func setDelay(_ app: String, _ delay: Duration?) {
        let wasDelayed = delayed[app] != nil
        delayed[app] = delay.map { Stopwatch.milliseconds() + $0.ms }
        if let delay { retryTimer.fire(afterMs: delay.ms) }
        if !wasDelayed, delay != nil { surroundings.hold.begin() }
        if wasDelayed, delay == nil { surroundings.hold.end() }
    }

    // MARK: - One callback

    private func deliver(_ item: ClaimedDelivery) async {
        let delivery = item.delivery
        let startUs = Stopwatch.bootMicroseconds()
        let trace = TraceContext(traceparent: delivery.traceparent)?.next() ?? .fresh()
        await output.begin(delivery.id, name: delivery.name)
        let result = await call(delivery, executable: item.executable ?? "", trace: trace)
        await output.flush()
        await output.end(delivery.id)
        services.recordCall(
            "\(delivery.app) \(delivery.method.rawValue)",
            id: delivery.name,
            cause: delivery.id,
            trace,
            parent: TraceContext(traceparent: delivery.traceparent)?.spanID,
            startUs: startUs,
            outcome: result.problem?.code ?? "ok"
        )
        await finish(delivery, result)
    }

    private func call(_ delivery: Delivery, executable: String, trace: TraceContext) async
        -> DeliveryResult
    {
        let occurrence = delivery.occurrence
        let body = MonitorCallBody(activity: occurrence.activity, event: occurrence.event)
        let call = ExtensionCall(
            id: delivery.id,
            attempt: delivery.attempt,
            method: delivery.method.rawValue,
            body: Self.json(body),
            wallMs: occurrence.dueWallMs,
            deadlineMs: 0
        )
        let outcome = await extensions.call(
            spec(app: delivery.app, member: delivery.member, executable: executable),
            ExtensionJob(call: call, cause: delivery.id, trace: trace)
        )
        return DeliveryResult(
            problem: outcome.problem,
            tookMs: outcome.durationMs,
            privateKib: outcome.peakBytes / 1024,
            lastOutput: outcome.problem == nil ? [] : outcome.lastLines.map(\.text)
        )
    }

    private func spec(app: String, member: String, executable: String) -> ExtensionSpec {
        var environment: [String: String] = [:]
        // Only the environment can carry the zone of a virtual clock.
        if isVirtual { environment["TZ"] = surroundings.time.zone() }
        return ExtensionSpec(
            app: app,
            member: member,
            point: .monitor,
            executable: executable,
            environment: environment
        )
    }

    private func finish(_ delivery: Delivery, _ result: DeliveryResult) async {
        var failures = 0
        while true {
            do {
                let finished = try await host.step("monitor.delivery.finish") {
                    try DeliverySteps.finish(
                        delivery.number,
                        attempt: delivery.attempt,
                        result: result,
                        state: $0,
                        change: $2
                    )
                }
                if let delay = finished.retryAfter {
                    setDelay(delivery.app, isVirtual ? Self.virtualDelay : delay)
                }
                if let problem = result.problem {
                    logFailure(delivery, problem: problem, state: finished.state)
                }
                return
            } catch {
                // The disk may be full. This result must be saved before the next callback is made.
                failures += 1
                if failures == 1 { surroundings.log.problem("not_written_down", Problem(error)) }
                if isStopping || !Problem(error).retryable { return }
                let wait = Duration.milliseconds(Self.retry.delayMs(attempt: failures))
                guard (try? await Task.sleep(for: wait)) != nil else { return }
            }
        }
    }

    private func logFailure(_ delivery: Delivery, problem: Problem, state: DeliveryState) {
        guard state == .parked || state == .waiting else { return }
        surroundings.log.problem(
            state == .parked ? "delivery_parked" : "delivery_failed",
            problem,
            fields: [
                "delivery": .text(delivery.name), "app": .text(delivery.app),
                "attempt": .number(delivery.attempt),
            ]
        )
    }

    // MARK: - Callbacks that are refused

    /// Checks with auth-service before parking a callback, because the event of a new permission may not have arrived yet.
    private func refuse(_ next: NextDelivery, _ refusal: Problem) async {
        var refusal = refusal
        do {
            let request = AuthCheck.Request(app: next.app, member: next.member, tokens: [])
            let word = try await services.client.call(AuthCheck.self, request)
            if let better = MonitorState.refusal(word, otherwise: refusal) {
                refusal = better
            } else if checks[next.number, default: 0] < Self.looksMax {
                let count = checks[next.number, default: 0] + 1
                checks[next.number] = count
                return setDelay(next.app, .milliseconds(min(50 * count, 1_000)))
            }
        } catch let problem as Problem where problem.retryable {
            surroundings.log.problem("not_known_yet", problem, fields: ["app": .text(next.app)])
            return setDelay(next.app, .seconds(1))
        } catch {
            // auth-service does not have the app or the member either.
        }
        checks[next.number] = nil
        do {
            try await host.step("monitor.delivery.park") { [refusal] in
                try DeliverySteps.park(next.number, problem: refusal, change: $2)
            }
        } catch {
            surroundings.log.problem("not_parked", Problem(error))
            setDelay(next.app, .seconds(1))
        }
    }

    private static func json(_ body: MonitorCallBody) -> JSONValue {
        var members: [String: JSONValue] = ["activity": .string(body.activity)]
        if let event = body.event { members["event"] = .string(event) }
        return .object(members)
    }

    // MARK: - Monitors that wait for a debugger

    /// Starts the requested monitors under a debugger, and ends those no longer wanted.
    private func debug() async throws {
        let targets = DeliverySteps.debugTargets(try await host.state)
        let wanted = Set(targets.map(\.app))
        for (app, spec) in debugged where !wanted.contains(app) {
            debugged[app] = nil
            _ = try await extensions.endDebugging(spec)
        }
        for target in targets where target.pid == nil {
            let spec = spec(app: target.app, member: target.member, executable: target.executable)
            do {
                let pid = try await extensions.debug(spec)
                debugged[target.app] = spec
                try await host.step("monitor.debug.note") { state, _, _ in
                    DeliverySteps.recordDebugger(app: target.app, pid: Int64(pid), &state)
                }
            } catch let problem as Problem where problem.retryable {
                // The process that runs is still ending.
                retryTimer.fire(afterMs: 50)
            } catch {
                surroundings.log.problem("not_debugged", Problem(error), fields: ["app": .text(target.app)])
                try await host.step("monitor.debug.end") { state, _, _ in
                    DeliverySteps.endDebugging(app: target.app, &state)
                }
            }
        }
    }
}
