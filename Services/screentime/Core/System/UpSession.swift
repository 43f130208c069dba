import STContracts
import STPlatform
import STSupervision

/// One run of `system up` in the foreground, from the start of the services to the end of the last.
final class UpSession: Sendable {
    private let plan: UpPlan
    private let terminal: Terminal
    private let log: MergedLog
    private let text: LogLineText
    private let supervisor: Supervisor
    private let report: StartReport
    private let lifeline: Int32?

    init(_ plan: UpPlan, _ invocation: Invocation) throws {
        self.plan = plan
        terminal = invocation.terminal
        report = StartReport(environment: invocation.environment)
        lifeline = Lifeline.descriptor(environment: invocation.environment)
        let services = plan.services.map(\.rawValue)
        text = LogLineText(terminal, services: services)
        let log = try MergedLog(
            terminal,
            services: services,
            file: report.isWanted ? OutputFile(path: plan.places.outputPath) : nil
        )
        self.log = log
        supervisor = try Supervisor(
            directories: plan.places.directories,
            specs: plan.specs,
            options: SupervisorOptions(isDemo: plan.places.isDemo) { log.add($0, $1) }
        )
    }

    func run() async throws -> ExitCode {
        defer { log.finish() }
        do {
            return try await supervise()
        } catch {
            report.send(isReady: false, ProblemText.text(ProblemText.problem(error)))
            throw error
        }
    }

    private func supervise() async throws -> ExitCode {
        Signals.ignoreBrokenPipes()
        let startMs = Stopwatch.milliseconds()
        let stop = try StopRequest(supervisor, log, lifeline: lifeline)
        defer { stop.end() }
        try supervisor.start()
        let watch = StartWatch(supervisor: supervisor, text: text, logs: plan.places.directories.logs)
        switch try await OwnThread.run("start", watch.wait) {
        case .failed(let text):
            log.say(terminal.styled("Not started.", .red) + " " + text)
            report.send(isReady: false, text)
            _ = try await OwnThread.run("stop") { [supervisor] in try supervisor.stop() }
            return .no
        case .ready: await beReady(Stopwatch.milliseconds() - startMs)
        case .stopped: report.send(isReady: false, "It was told to stop before it was ready.")
        }
        return try await waitForEnd(stop)
    }

    private func beReady(_ elapsedMs: Int64) async {
        var lines: [String] = []
        if plan.places.isDemo {
            do {
                lines += try await DemoPlayer.play(plan.places, services: plan.services)
            } catch {
                lines.append(
                    "The demonstration's days could not be played: \(ProblemText.text(ProblemText.problem(error)))"
                )
            }
        }
        let summary = StartSummary(plan: plan, terminal: terminal, isInBackground: report.isWanted)
        let text = summary.text(readyMs: elapsedMs, extra: lines)
        log.say(text)
        report.send(isReady: true, text)
    }

    private func waitForEnd(_ stop: StopRequest) async throws -> ExitCode {
        let exits = try await OwnThread.run("end") { [supervisor] in
            while true {
                if let exits = try supervisor.waitForEnd(deadlineMs: 10_000) { return exits }
                if let problem = stop.now.problem { throw problem }
            }
        }
        let state = stop.now
        let took = TextFormat.duration(
            ms: Stopwatch.milliseconds() - (state.askedAtMs ?? Stopwatch.milliseconds())
        )
        // One that was told to end before it could listen ends by that very signal, which is what was asked for.
        let troubled = state.running.filter { exits[$0] != .exited(0) && exits[$0] != .signaled(15) }
        guard troubled.isEmpty else {
            for name in troubled {
                let how = exits[name].map { "\($0)" } ?? "nobody knows how it ended"
                log.say(terminal.styled("\(name) did not stop by itself:", .red) + " \(how)")
            }
            return .no
        }
        log.say("Stopped \(state.running.count) services in \(took).")
        return .done
    }
}
