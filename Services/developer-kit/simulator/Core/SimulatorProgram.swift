import STContracts
import STPlatform
package import STSimulator
import Synchronization

/// Processes the request of the program `simulator`.
package struct SimulatorProgram: Sendable {
    private let progress: @Sendable (Duration, Duration) -> Void

    package init(output progress: @escaping @Sendable (Duration, Duration) -> Void) {
        self.progress = progress
    }

    package func run(_ request: SimulatorRequest) async throws -> SimulatorLine {
        var line = SimulatorLine()
        switch request.task {
        case .schema: line.schema = ScenarioSchema.value
        case .example: line.example = ScenarioExample.text
        case .check: line.name = try scenario(request).scenario.name
        case .play: line.outcome = try await play(request)
        case .unknown:
            throw Problem(
                "simulation.bad_request",
                "The task must be play, check, schema or example.",
                key: "simulation.bad_request.the-task-is",
                field: "/task"
            )
        }
        return line
    }

    private func scenario(_ request: SimulatorRequest) throws -> (scenario: Scenario, text: [UInt8]) {
        let text = Array((request.scenario ?? "").utf8)
        return (try ScenarioReader.read(text, folder: request.folder ?? "/"), text)
    }

    private func play(_ request: SimulatorRequest) async throws -> SimulatorOutcome {
        let (scenario, text) = try scenario(request)
        let asPhone = request.asPhone ?? false
        let faults = try (request.faults ?? []).map { try $0.required("/faults") }
        guard faults.isEmpty || request.inProcess != true else {
            throw Problem(
                "simulation.needs_processes",
                "Phone faults affect only your own apps, which run as separate processes. Omit --in-process."
            )
        }
        let start = Stopwatch.milliseconds()
        let reports = Mutex<[SimulatorOutcome.Report]>([])
        do {
            let outcome =
                request.inProcess == true
                ? try await Simulation.inProcess(scenario, asPhone: asPhone, progress: progress)
                : try await Simulation.withProcesses(
                    scenario,
                    programs: try ProgramsFolder.checked(request.programs),
                    asPhone: asPhone,
                    faults: faults,
                    progress: progress
                ) { services in
                    guard request.withReports == true else { return }
                    let made = try await Self.reports(scenario, services)
                    reports.withLock { $0 = made }
                }
            let took = Duration.milliseconds(Stopwatch.milliseconds() - start)
            var answer = Self.answer(outcome, text, took: took)
            answer.reports = reports.withLock { $0 }
            return answer
        } catch let problem as Problem {
            throw ScenarioReader.located(problem, text)
        }
    }

    /// Returns all reports of all apps about the whole scenario.
    private static func reports(_ scenario: Scenario, _ services: SimulatedServices) async throws
        -> [SimulatorOutcome.Report]
    {
        let end = scenario.start + (try ScenarioPlan.make(scenario)).end
        let apps = try await services.call(AppList.self, .init()).apps.map(\.manifest)
        let point = ExtensionPoint.report.rawValue
        let filter = ReportFilter(
            segment: .day,
            fromWallMs: scenario.start.ms,
            toWallMs: end.ms,
            applications: [],
            categories: [],
            webDomains: []
        )
        var reports: [SimulatorOutcome.Report] = []
        for app in apps where app.extensions.contains(where: { $0.point == point }) {
            let contexts: [String]
            do {
                contexts = try await services.call(ReportContexts.self, .init(app: app.id)).contexts
            } catch {
                reports.append(.init(app: app.id, context: "", problem: Problem(error)))
                continue
            }
            for context in contexts where reports.count < SimulatorLimits.reports {
                let request = ReportRender.Request(app: app.id, context: context, filter: filter)
                do {
                    let made = try await services.call(ReportRender.self, request)
                    let page = try await ReportPiece.all(of: made) {
                        try await services.call(ReportPiece.self, $0)
                    }
                    reports.append(.init(app: app.id, context: context, page: page))
                } catch {
                    reports.append(.init(app: app.id, context: context, problem: Problem(error)))
                }
            }
        }
        return reports
    }

    private static func answer(_ outcome: SimulationOutcome, _ text: [UInt8], took: Duration)
        -> SimulatorOutcome
    {
        func line(_ path: String) -> Int? { JSONLocations.line(of: path, in: text) }
        return SimulatorOutcome(
            report: outcome.report,
            lines: OutcomeText(outcome, lineOf: line).lines,
            unmet: outcome.verdicts.filter { !$0.isMet }.map { verdict in
                let place = line(verdict.path).map { "line \($0): " } ?? ""
                return place + verdict.expected + (verdict.actual.map { "; \($0)" } ?? "")
            },
            playedMs: (outcome.end - outcome.start).ms,
            tookMs: took.ms,
            shields: outcome.shields,
            calls: outcome.costs.calls
        )
    }
}
