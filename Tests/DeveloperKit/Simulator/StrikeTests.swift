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

    /// At most so many, so that what is played comes to an end.
    init(_ programs: [String], most: Int, pauseMs: ClosedRange<Int> = 5...200, seed: UInt64) {
        self.programs = programs
        self.most = most
        self.pauseMs = pauseMs
        self.seed = seed
    }

    /// Plays a scenario on real processes, some of which are killed meanwhile; returns how many were.
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
            if await backend.strike(program) { kills += 1 }
        }
        return kills
    }

    /// What was called and told, when, and how it ended, without what the kills decide.
    ///
    /// That is how many attempts it took, and what an extension wrote: in an attempt that was cut short it stands twice. Of
    /// one moment in any order: an app and its extension go on beside each other, and whichever was held up is the later one.
    static func told(_ outcome: SimulationOutcome) -> [TimelineEntry] {
        outcome.timeline.map { entry in
            var entry = entry
            entry.callback?.attempt = 1
            entry.callback?.lines = []
            return entry
        }
        .sorted { ($0.atMs, "\($0)") < ($1.atMs, "\($1)") }
    }
}

@Suite("SIGKILL of any process at any moment", .serialized)
struct KillWeeksTests {
    private static let isSoak = TestScale.isSoak
    private static let weeks = isSoak ? 10 : 1
    private static let kills = isSoak ? 500 : 25

    /// Weeks with a rule and an app that watches, whose extension is called about ten times a day.
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

    @Test("changes nothing of what is called, told and counted, and no effect comes twice")
    func sameCallbacks() async throws {
        let scenario = try ScenarioFiles.read(text: Self.scenario)
        let quiet = try await Simulation.withProcesses(scenario)
        let start = Stopwatch.milliseconds()

        // All the kills shall fall into the weeks; what is played after the last one is played in peace.
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

/// The week of an app that shields, while those who shield, call and tell are killed.
@Suite("A week of worklog with SIGKILLs", .serialized)
struct KilledWorklogTests {
    private static let isSoak = TestScale.isSoak
    /// Through the whole week in the long form, with time in between for something to go on.
    private static let kills = isSoak ? 60 : 25
    private static let pauseMs = isSoak ? 20...600 : 5...200
    private static let programs = [ServiceName.shield, .monitor, .notifier].map(\.rawValue)

    @Test("has the same shields, callbacks and notifications, each once", arguments: isSoak ? 1...5 : 1...1)
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
        // Otherwise there was nothing to be the same.
        for (kind, least) in [(TimelineEntry.Kind.shield, 8), (.store, 20), (.notification, 2)] {
            #expect(wanted.count { $0.kind == kind } >= least, "\(kind)")
        }
        #expect(kills >= 10, "\(kills) kills")
        let ms = Stopwatch.milliseconds() - start
        print("worklog-kills: seed \(seed), \(kills) kills, \(found.count) things told, \(ms) ms")
    }
}
