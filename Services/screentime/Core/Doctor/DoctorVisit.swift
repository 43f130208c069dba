import Glibc
package import STContracts
import STPlatform

/// What the doctor found: told by the agent at work, or by a short run of it where none is.
package struct DoctorVisit: Sendable {
    package var report: DesktopDoctor.Reply
    package var isRunning: Bool
    /// Whether it is the agent at work that says so, in whose session it is.
    package var isAgents: Bool

    package init(report: DesktopDoctor.Reply, isRunning: Bool, isAgents: Bool) {
        self.report = report
        self.isRunning = isRunning
        self.isAgents = isAgents
    }

    /// As long as displays and buses that hang are waited for.
    private static let probeMs: Int64 = 10_000

    static func make(_ invocation: Invocation) async throws -> DoctorVisit {
        let (answer, view) = try await ServiceClients.with(invocation.directories) { clients in
            async let answer = clients.ask(DesktopDoctor.self, .desktop, Empty(), timeoutMs: probeMs)
            async let view = SystemView.gather(clients)
            return await (answer, view)
        }
        var visit: DoctorVisit
        switch answer {
        case .success(let report): visit = DoctorVisit(report: report, isRunning: true, isAgents: true)
        case .failure:
            visit = DoctorVisit(report: try probe(invocation), isRunning: view.isRunning, isAgents: false)
        }
        visit.report.findings.insert(system(view), at: 0)
        if visit.isAgents, visit.report.isBlind, let finding = hereInstead(invocation) {
            visit.report.findings.append(finding)
        }
        if !visit.report.isBlind, let finding = DoctorFonts.missing(invocation.environment) {
            visit.report.findings.append(finding)
        }
        return visit
    }

    private static func system(_ view: SystemView) -> DoctorFinding {
        guard view.isRunning else {
            return DoctorFinding(
                topic: .system,
                state: .missing,
                text: "Screen Time is not running: nothing is counted, and no rule holds.",
                mend: "screentime system up"
            )
        }
        let silent = ServiceName.all.filter { service in
            if case .success = view.reports[service] { false } else { true }
        }
        guard silent.isEmpty else {
            let names = silent.map(\.rawValue).joined(separator: ", ")
            return DoctorFinding(
                topic: .system,
                state: .limited,
                text: "Not all services answer: \(names).",
                mend: "screentime status"
            )
        }
        return DoctorFinding(
            topic: .system,
            state: .fine,
            text: "All \(ServiceName.all.count) services answer."
        )
    }

    /// The agent was started where there is no desktop, and this command where there is one.
    private static func hereInstead(_ invocation: Invocation) -> DoctorFinding? {
        guard let here = try? probe(invocation), !here.isBlind else { return nil }
        return DoctorFinding(
            topic: .adapter,
            state: .limited,
            text: "From this terminal the desktop can be seen: \(here.reason)",
            mend: "Start Screen Time again from here: screentime system down; screentime system up --detach"
        )
    }

    /// The agent's program asks the displays, says what it found and ends.
    private static func probe(_ invocation: Invocation) throws -> DesktopDoctor.Reply {
        let places = try SystemPlaces(invocation)
        let program = places.executable(of: .desktop)
        guard access(program, X_OK) == 0 else {
            throw Problem(
                "doctor.no_agent",
                "desktop-agent is not beside this command, so nobody can look at the desktop.",
                help: "scripts/run-all.sh"
            )
        }
        var environment = invocation.environment
        environment["SCREENTIME_CONFIG"] = places.directories.config
        let run = try ProgramRun.run(program, ["--probe"], environment: environment, deadlineMs: probeMs)
        guard run.status.isSuccess, let line = run.output.split(separator: "\n").last,
            let report = try? DesktopDoctor.Reply.decodedBody(Array(line.utf8))
        else {
            let last = run.output.split(separator: "\n").last.map(String.init) ?? ""
            let said = TextWrap.sentence(DisplayWidth.cut(DisplayWidth.harmless(last), 300))
            throw Problem(
                "doctor.no_answer",
                "desktop-agent could not look at the desktop: \(run.status). \(said)"
            )
        }
        return report
    }
}
