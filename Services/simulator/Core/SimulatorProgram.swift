import STContracts
import STPlatform
package import STSimulator

/// What the program `simulator` does with its request.
package struct SimulatorProgram: Sendable {
    private let progress: @Sendable (Int64, Int64) -> Void

    package init(output progress: @escaping @Sendable (Int64, Int64) -> Void) { self.progress = progress }

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
                "The task is play, check, schema or example.",
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
        let startMs = Stopwatch.milliseconds()
        do {
            let outcome =
                request.inProcess == true
                ? try await Simulation.inProcess(scenario, asPhone: asPhone, progress: progress)
                : try await Simulation.withProcesses(
                    scenario,
                    programs: try ProgramsFolder.checked(request.programs),
                    asPhone: asPhone,
                    progress: progress
                )
            return Self.answer(outcome, text, tookMs: Stopwatch.milliseconds() - startMs)
        } catch let problem as Problem {
            throw ScenarioReader.located(problem, text)
        }
    }

    private static func answer(_ outcome: SimulationOutcome, _ text: [UInt8], tookMs: Int64)
        -> SimulatorOutcome
    {
        func line(_ path: String) -> Int? { JSONPlaces.line(of: path, in: text) }
        return SimulatorOutcome(
            report: outcome.report,
            lines: OutcomeText(outcome, lineOf: line).lines,
            unmet: outcome.verdicts.filter { !$0.isMet }.map { verdict in
                let place = line(verdict.path).map { "line \($0): " } ?? ""
                return place + verdict.expected + (verdict.instead.map { "; \($0)" } ?? "")
            },
            playedMs: outcome.endWallMs - outcome.startWallMs,
            tookMs: tookMs
        )
    }
}
