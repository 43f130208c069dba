import STBus
import STContracts
import STDesktopCore
import STPlatform
import STServiceKit
import STZeroMQ

/// Takes what the spool holds to activity-center, in order, until it is accepted.
///
/// Nothing leaves the spool before.
struct ObservationSender {
    private static let retry = Backoff(firstMs: 200, limitMs: 5_000)
    /// As many runs as are passed over before the sender takes it for the other side's trouble.
    private static let refusedMax = 100

    private let host: ServiceHost<DesktopState>
    private let surroundings: Surroundings
    private let client: BusClient
    /// Told what became of what it has seen; nil where only scripts are played.
    private let hub: DesktopHub?
    /// Rings when something is to be tried again, in real time.
    private let alarm: Alarm
    /// Rings at the next moment of a script, in boot time.
    private let nextMoment: DueAlarm

    init(
        _ host: ServiceHost<DesktopState>,
        _ surroundings: Surroundings,
        _ client: BusClient,
        _ hub: DesktopHub?
    ) throws {
        self.host = host
        self.surroundings = surroundings
        let thread = surroundings.loop.thread
        alarm = Alarm(thread) { [bell = host.bell] in bell.ring() }
        nextMoment = try DueAlarm(thread, surroundings.time) { [bell = host.bell] in bell.ring() }
        self.client = client
        self.hub = hub
    }

    func run() async throws {
        await playConfiguredScript()
        var failures = 0
        for await _ in host.bell.rings {
            do {
                try await sendAll()
                if failures > 0 { surroundings.pulse.end() }
                failures = 0
            } catch {
                let problem = (error as? Problem) ?? Problem("internal", "\(error)")
                if failures == 0 {
                    surroundings.log.problem("not_accepted", problem)
                    // Until it is accepted, a virtual clock must not go on.
                    surroundings.pulse.begin()
                }
                failures += 1
                alarm.ring(afterMs: Self.retry.delayMs(attempt: failures))
            }
        }
    }

    private func playConfiguredScript() async {
        let path = surroundings.configuration.value(.desktopScript)
        host.bell.ring()
        if path.isEmpty { return }
        do {
            let file = try ScriptFile.read(path)
            let started = try await host.callSelf(
                ScriptStart.self,
                .init(digest: file.digest, plays: file.plays)
            )
            if !started.isNew {
                surroundings.log.info(
                    "script_known",
                    "This script was played before; change the file to play another."
                )
            }
        } catch {
            let problem = (error as? Problem) ?? Problem("internal", "\(error)")
            surroundings.log.problem("script_refused", problem, ["script": .text(path)])
        }
    }

    /// Writes down what is due, sends all that waits, and asks to be woken at the next moment of a script.
    private func sendAll() async throws {
        // What is due and what is sent of it are one story.
        var trace = TraceContext.fresh()
        // Those that were refused wait for the next time, and hold up nobody behind them meanwhile.
        var refused: [String] = []
        var refusal: Problem?
        while !Task.isCancelled {
            let place = try await host.callSelf(SpoolPeek.self, Empty())
            if let nextMs = place.nextBootMs, nextMs <= surroundings.time.now().bootMs {
                // Only when something is due: every commit rings the bell that leads back here.
                trace = .fresh()
                _ = try await host.callSelf(SpoolAdvance.self, Empty(), trace: trace)
                continue
            }
            guard place.hasWaiting else {
                nextMoment.set(bootMs: place.nextBootMs)
                return
            }
            let batch = try await host.callSelf(SpoolNext.self, .init(except: refused))
            guard let run = batch.run else {
                nextMoment.set(bootMs: place.nextBootMs)
                if let refusal { throw refusal }
                return
            }
            do {
                try await send(run, batch.observations, after: trace)
            } catch let problem as Problem where !problem.retryable && refused.count < Self.refusedMax {
                refused.append(run)
                refusal = problem
            }
        }
    }

    private func send(_ run: String, _ observations: [Observation], after cause: TraceContext) async throws {
        let trace = cause.next()
        let startUs = Stopwatch.bootMicroseconds()
        let request = UsageObserve.Request(
            agent: ServiceName.desktop.rawValue,
            run: run,
            observations: observations
        )
        var outcome = "ok"
        do {
            let reply = try await client.call(UsageObserve.self, request, CallOptions(trace: trace))
            _ = try await host.callSelf(
                SpoolDone.self,
                .init(run: run, through: reply.acceptedThrough, checkAt: reply.checkAt)
            )
            await hub?.accepted(run, checkAt: reply.checkAt)
        } catch let problem as Problem where problem.code == "usage.out_of_order" {
            outcome = problem.code
            try await reorder(run, observations, problem)
        } catch let problem as Problem {
            note(trace, cause, startUs, problem.code)
            throw problem
        }
        note(trace, cause, startUs, outcome)
    }

    /// The other side has more than the spool thinks (an acknowledgement was lost), or less (a backup was put back).
    private func reorder(_ run: String, _ observations: [Observation], _ problem: Problem) async throws {
        guard let expected = problem.details["expected"].flatMap({ Int64($0) }),
            let first = observations.first
        else {
            throw problem
        }
        if expected > first.sequence {
            _ = try await host.callSelf(SpoolDone.self, .init(run: run, through: expected - 1))
        } else {
            surroundings.log.warning(
                "run_forgotten",
                "activity-center no longer knows this run; going on as a new one."
            )
            await hub?.forgotten(run)
            _ = try await host.callSelf(SpoolRenumber.self, .init(run: run))
        }
    }

    private func note(_ trace: TraceContext, _ cause: TraceContext, _ startUs: Int64, _ outcome: String) {
        let host = host
        Task(executorPreference: surroundings.loop.thread) {
            await host.note {
                TraceSpan(
                    service: ServiceName.desktop.rawValue,
                    kind: .send,
                    name: UsageObserve.name,
                    messageId: trace.spanID,
                    trace: trace,
                    parentId: cause.spanID,
                    startUs: startUs,
                    durationUs: Stopwatch.bootMicroseconds() - startUs,
                    outcome: outcome
                )
            }
        }
    }
}
