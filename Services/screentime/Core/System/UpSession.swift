import STContracts
import STPlatform
import STSupervision

/// A run of `system up` in the foreground, from the start of the services to the end of the last one.
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
        let services = plan.programs.map(\.rawValue)
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
        let start = SuspendingClock.now
        let stop = try StopRequest(supervisor, log, lifeline: lifeline)
        defer { stop.end() }
        try supervisor.start()
        let watch = StartWatch(supervisor: supervisor, text: text, logs: plan.places.directories.logs) {
            [report, terminal] progress in
            if report.isWanted { report.send(progress: progress) } else { terminal.progress(progress) }
        }
        switch try await OwnThread.run("start", watch.wait) {
        case .failed(let text):
            log.say(terminal.styled(Speech.say("system.not-started", "Not started."), .red) + " " + text)
            report.send(isReady: false, text)
            _ = try await OwnThread.run("stop") { [supervisor] in try supervisor.stop() }
            return .no
        case .ready: await reportReady(SuspendingClock.now - start)
        case .stopped:
            report.send(
                isReady: false,
                Speech.say("system.it-was-stopped-before", "Screen Time was stopped before it was ready.")
            )
        }
        return try await waitForEnd(stop)
    }

    private func reportReady(_ elapsed: Duration) async {
        // A service with damaged records runs, but does nothing.
        var lines = supervisor.status().compactMap { status in
            status.statusText.flatMap { $0 == "answering" ? nil : "\(status.name): \($0)" }
        }
        if plan.places.isDemo {
            do {
                lines += try await DemoPlayer.play(plan.places, services: plan.services)
            } catch {
                let failed = Speech.say(
                    "system.the-days-of-the",
                    "The sample data of the demonstration could not be created: "
                )
                lines.append(failed + ProblemText.text(ProblemText.problem(error)))
            }
        }
        let summary = StartSummary(plan: plan, terminal: terminal, isInBackground: report.isWanted)
        let text = summary.text(readyAfter: elapsed, extra: lines)
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
        let took = Speech.duration(state.requestedAt.map { SuspendingClock.now - $0 } ?? .zero)
        // A service that is stopped before it handles signals is ended by that signal, which is correct.
        let troubled = state.running.filter { exits[$0] != .exited(0) && exits[$0] != .signaled(15) }
        guard troubled.isEmpty else {
            for name in troubled {
                let how =
                    exits[name].map { Speech.say($0.message) }
                    ?? Speech.say("system.how-it-ended-is", "its exit status is unknown")
                let title = Speech.say("system.did-not-stop-by", "\(name, "name") did not stop cleanly:")
                log.say(terminal.styled(title, .red) + " \(how)")
            }
            return .no
        }
        let count = state.running.count
        log.say(
            Speech.say(
                "system.stopped-services-in",
                "Services stopped in \(took, "took"): \(count, "count")."
            )
        )
        return .done
    }
}

/// Waits until all services are ready, or until it is certain that one will not be.
struct StartWatch: Sendable {
    enum Outcome: Sendable {
        case ready
        /// The start was stopped before all services were ready.
        case stopped
        /// The start failed, with the reason.
        case failed(String)
    }

    /// The timeout for a start that reports no progress.
    static let timeout: Duration = .seconds(30)
    /// A service that ended this often before it was ready will not become ready by itself.
    private static let startsMax = 3
    /// From sysexits.h: 64 for usage, 74 for the database, 78 for the configuration. Another attempt would fail as well.
    private static let lastingExits: [ExitStatus] = [.exited(64), .exited(74), .exited(78)]

    let supervisor: Supervisor
    let text: LogLineText
    let logs: String
    let showProgress: @Sendable (String) -> Void

    func wait() throws -> Outcome {
        var told = ""
        defer { if !told.isEmpty { showProgress("") } }
        while true {
            let deadlineMs = told.isEmpty ? Self.timeout.ms : StartProgress.timeoutMs
            let inTime = try supervisor.waitUntil(deadlineMs: deadlineMs) { statuses in
                Self.isDecided(statuses) || Self.progress(statuses) != told
            }
            let statuses = supervisor.status()
            guard inTime, !Self.isDecided(statuses) else { return outcome(statuses, inTime) }
            told = Self.progress(statuses)
            showProgress(told)
        }
    }

    private static func isDecided(_ statuses: [ServiceStatus]) -> Bool {
        let isReady = !statuses.isEmpty && statuses.allSatisfy(\.state.isReady)
        return isReady || statuses.contains { isHopeless($0) || $0.state == .stopped }
    }

    /// Returns a bar for the first service that reports progress.
    private static func progress(_ statuses: [ServiceStatus]) -> String {
        for status in statuses where !status.state.isReady {
            guard let progress = status.statusText.flatMap({ StartProgress(status: $0) }) else { continue }
            let bar = DisplayWidth.padded(BarChart.bar(progress.percent, of: 100, width: 20), 20)
            return Speech.say("system.updating-the-records-of", "Updating the records of ")
                + "\(status.name): \(bar) \(progress.percent) %"
        }
        return ""
    }

    private func outcome(_ statuses: [ServiceStatus], _ inTime: Bool) -> Outcome {
        let hopeless = statuses.filter(Self.isHopeless)
        if !hopeless.isEmpty { return .failed(report(hopeless)) }
        if statuses.contains(where: { $0.state == .stopped }) { return .stopped }
        return inTime ? .ready : .failed(report(statuses.filter { !$0.state.isReady }))
    }

    private static func isHopeless(_ status: ServiceStatus) -> Bool {
        if status.state.isFailed { return true }
        guard case .backingOff = status.state, let exit = status.lastExit else { return false }
        return status.readySinceBootMs == nil
            && (lastingExits.contains(exit) || status.restarts + 1 >= startsMax)
    }

    private func report(_ missing: [ServiceStatus]) -> String {
        let parts = missing.map { status in
            let length = Speech.duration(Self.timeout)
            let reason =
                status.failure.map { Speech.say($0) }
                ?? Speech.say("system.not-ready-within", "not ready within \(length, "length")")
            let lines = supervisor.lastLines(status.name).map { "    " + (text.readable($0) ?? $0) }
            let tail =
                lines.isEmpty
                ? "    " + Speech.say("system.it-wrote-nothing", "(no output)")
                : lines.joined(separator: "\n")
            return
                Speech.say("system.did-not-start", "\(status.name, "name") did not start: ")
                + "\(reason)\n\(tail)\n  " + Speech.say("system.its-whole-log", "full log: ")
                + "\(logs)/\(status.name).log"
        }
        return parts.joined(separator: "\n")
    }
}

/// The last lines of a start: its duration, the places of the logs, and the next commands.
struct StartSummary {
    let plan: UpPlan
    let terminal: Terminal
    let isInBackground: Bool

    func text(readyAfter: Duration, extra: [String]) -> String {
        let command = SystemPlaces.commandName(plan.environment)
        let demo = plan.places.isDemo ? " --demo" : ""
        let count = plan.services.count
        let isReady =
            plan.places.isDemo
            ? Speech.say("system.a-demonstration-of-screen", "A DEMONSTRATION of Screen Time is ready")
            : Speech.say("system.screen-time-is-ready", "Screen Time is ready")
        let readyMs = readyAfter.ms
        let size = Speech.say(
            "system.services-in-ms",
            count: count,
            one: "1 service in \(readyMs, "ms") ms",
            other: "\(count, "count") services in \(readyMs, "ms") ms"
        )
        var lines = ["", terminal.styled(isReady, .green) + ": \(size)"]
        lines += extra.map { "  " + $0 }
        func line(_ title: String, _ text: String) {
            lines.append("  " + DisplayWidth.padded(title, 7) + text)
        }
        line(Speech.say("system.logs", "logs"), plan.places.directories.logs)
        if let exports = plan.places.exports(plan.environment) {
            line(Speech.say("system.first", "first"), exports)
        }
        line(Speech.say("system.try", "try"), "\(command) status")
        line("", "\(command) report")
        line("", "\(command) console")
        line(Speech.say("system.stop", "stop"), isInBackground ? "\(command) system down\(demo)" : "ctrl-C")
        lines.append("")
        return lines.joined(separator: "\n")
    }
}
