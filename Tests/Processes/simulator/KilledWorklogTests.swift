import STContracts
import STPlatform
import Testing

@testable import STSimulation

/// The week of an app that shields, while those who shield, call and tell are killed.
@Suite("A week of worklog with SIGKILLs", .serialized)
struct KilledWorklogTests {
    private static let isSoak = ProcessEnvironment.current()["SCREENTIME_SOAK"] == "1"
    /// Through the whole week in the long form, with time in between for something to go on.
    private static let kills = isSoak ? 60 : 25
    private static let pauseMs = isSoak ? 20...600 : 5...200
    private static let programs = [ServiceName.shield, .monitor, .notifier].map(\.rawValue)

    @Test("has the same shields, callbacks and notifications, each once", arguments: isSoak ? 1...5 : 1...1)
    func week(_ seed: Int) async throws {
        let scenario = try ScenarioFiles.read("worklog-week.json")
        let quiet = try await Simulation.withProcesses(scenario)
        let start = Stopwatch.milliseconds()

        let backend = try SystemBackend(programs: try ProgramsFolder.own())
        let run = try SimulationRun(scenario, on: backend)
        let strikes = Strikes(Self.programs, most: Self.kills, pauseMs: Self.pauseMs, seed: UInt64(seed))
        let trouble = Task { await strikes.strike(backend) }
        let played = Task { try await run.run() }
        let result = await played.result
        trouble.cancel()
        let kills = await trouble.value
        let outcome = try result.get()

        #expect(outcome.isMet, "\(OutcomeText(outcome).text)")
        let (found, wanted) = (Strikes.told(outcome), Strikes.told(quiet))
        let different = zip(found, wanted).first { $0 != $1 }
        #expect(different == nil, "\(different as Any)")
        #expect(found.count == wanted.count)
        // Otherwise there was nothing to be the same.
        for (kind, least) in [(TimelineEntry.Kind.shield, 8), (.store, 20), (.notification, 2)] {
            #expect(wanted.count { $0.kind == kind } >= least, "\(kind)")
        }
        #expect(kills >= 10, "\(kills) kills")
        let ms = Stopwatch.milliseconds() - start
        print("worklog-kills: seed \(seed), \(kills) kills, \(found.count) things told, \(ms) ms")
    }
}
