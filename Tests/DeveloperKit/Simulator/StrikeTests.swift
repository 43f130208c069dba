import STContracts
import STPlatform
import STTestSupport
import Testing

@testable import STSimulation

/// Kills processes of a simulation at random moments.
struct Strikes: Sendable {
    private let programs: [String]
    private let most: Int
    private let pauseMs: ClosedRange<Int>
    private let seed: UInt64

    /// `most` limits the number of kills, so that the scenario can end.
    init(_ programs: [String], most: Int, pauseMs: ClosedRange<Int> = 5...200, seed: UInt64) {
        self.programs = programs
        self.most = most
        self.pauseMs = pauseMs
        self.seed = seed
    }

    /// Plays a scenario on real processes while some of them are killed. Returns the outcome and the number of kills.
    func play(_ scenario: Scenario) async throws -> (outcome: SimulationOutcome, kills: Int) {
        let backend = try SystemBackend(programs: try ProgramsFolder.own())
        let run = try SimulationRun(scenario, on: backend)
        let trouble = Task { await strike(backend) }
        let played = Task { try await run.run() }
        let result = await played.result
        trouble.cancel()
        let kills = await trouble.value
        return (try result.get(), kills)
    }

    private func strike(_ backend: SystemBackend) async -> Int {
        var random = SeededRandom(seed: seed)
        var kills = 0
        while !Task.isCancelled, kills < most {
            try? await Task.sleep(for: .milliseconds(random.number(pauseMs)))
            guard let program = random.pick(programs) else { break }
            if await backend.killProcess(program) { kills += 1 }
        }
        return kills
    }

    /// The timeline without the details that the kills decide: the number of attempts, and the output of an extension, which an
    /// interrupted attempt repeats. Entries of the same time are sorted, because an app and its extension run in parallel.
    static func told(_ outcome: SimulationOutcome) -> [TimelineEntry] {
        outcome.timeline.map { entry in
            var entry = entry
            entry.callback?.attempt = 1
            entry.callback?.lines = []
            return entry
        }
        .sorted { ($0.at, "\($0)") < ($1.at, "\($1)") }
    }
}

@Suite("Weeks with SIGKILLs of random processes", .serialized)
struct KillWeeksTests {
    private static let isSoak = TestScale.isSoak
    private static let weeks = isSoak ? 10 : 1
    private static let kills = isSoak ? 500 : 25

    /// Weeks with a rule and an app's activity, whose extension is called about ten times a day.
    private static let scenario = """
        {
          "name": "weeks", "zone": "Europe/Berlin", "start": "2026-09-07 06:00",
          "rules": [
            { "limit": ["org.example.game"], "of": "40m", "name": "game", "warn": "5m", "say": "Enough." },
            { "downtime": "22:00-06:00", "name": "night" }
          ],
          "activities": [
            { "name": "day", "from": "07:00", "to": "20:00", "warning": "10m", "events": [
              { "name": "half", "after": "30m" }, { "name": "two", "after": "2h" },
              { "name": "mail", "of": ["org.example.mail"], "after": "15m" }
            ] }
          ],
          "steps": [
            { "days": \(weeks * 7), "steps": [
              { "at": "07:30", "use": "org.example.mail", "for": "20m" },
              { "at": "08:00", "use": "org.example.work", "for": "95m" },
              { "at": "11:00", "use": "org.example.game", "for": "35m" },
              { "lock": "1h" },
              { "at": "15:00", "use": "org.example.game", "for": "20m" },
              { "at": "21:30", "use": "org.example.mail", "for": "50m" }
            ] }
          ]
        }
        """

    @Test(
        "SIGKILLs during simulated weeks change neither callbacks nor notifications, and nothing happens twice"
    )
    func sameCallbacks() async throws {
        let scenario = try ScenarioFiles.read(text: Self.scenario)
        let quiet = try await Simulation.withProcesses(scenario)
        let start = Stopwatch.milliseconds()

        // All kills happen within the weeks. The rest of the scenario plays without kills.
        let programs = SystemBackend.services.map(\.rawValue) + ["extension"]
        let (outcome, kills) = try await Strikes(programs, most: Self.kills, seed: 1).play(scenario)

        let (found, wanted) = (Strikes.told(outcome), Strikes.told(quiet))
        let different = zip(found, wanted).first { $0 != $1 }
        #expect(found.count == wanted.count)
        #expect(different == nil, "\(different as Any)")
        #expect(quiet.timeline.filter { $0.kind == .notification }.count >= Self.weeks * 7 * 2)
        #expect(kills >= Self.kills, "\(kills) kills")
        print("\(kills) kills in \(Self.weeks) weeks, \(Stopwatch.milliseconds() - start) ms, same outcome")
    }
}

/// Kills the services that shield, call extensions and post notifications, during the week of an app that shields.
@Suite("A week of the worklog app with SIGKILLs", .serialized)
struct KilledWorklogTests {
    private static let isSoak = TestScale.isSoak
    /// In the long form, the kills cover the whole week, with time for work between them.
    private static let kills = isSoak ? 60 : 25
    private static let pauseMs = isSoak ? 20...600 : 5...200
    private static let programs = [ServiceName.shield, .monitor, .notifier].map(\.rawValue)

    @Test(
        "SIGKILLs during a week of the worklog app change no shield, callback or notification",
        arguments: isSoak ? 1...5 : 1...1
    )
    func week(_ seed: Int) async throws {
        let scenario = try ScenarioFiles.read("worklog-week.json")
        let quiet = try await Simulation.withProcesses(scenario)
        let start = Stopwatch.milliseconds()

        let strikes = Strikes(Self.programs, most: Self.kills, pauseMs: Self.pauseMs, seed: UInt64(seed))
        let (outcome, kills) = try await strikes.play(scenario)

        #expect(outcome.isMet, "\(OutcomeText(outcome).text)")
        let (found, wanted) = (Strikes.told(outcome), Strikes.told(quiet))
        let different = zip(found, wanted).first { $0 != $1 }
        #expect(different == nil, "\(different as Any)")
        #expect(found.count == wanted.count)
        // The comparison requires a minimum of entries.
        for (kind, least) in [(TimelineEntry.Kind.shield, 8), (.store, 20), (.notification, 2)] {
            #expect(wanted.count { $0.kind == kind } >= least, "\(kind)")
        }
        #expect(kills >= 10, "\(kills) kills")
        let ms = Stopwatch.milliseconds() - start
        print("worklog-kills: seed \(seed), \(kills) kills, \(found.count) things told, \(ms) ms")
    }
}
