import STContracts
import STPlatform
import STTestSupport
import Testing

@testable import STSimulation

@Suite("SIGKILL of any process at any moment", .serialized)
struct KillWeeksTests {
    private static let isSoak = ProcessEnvironment.current()["SCREENTIME_SOAK"] == "1"
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

        let backend = try SystemBackend(programs: try ProgramsFolder.own())
        let run = try SimulationRun(scenario, on: backend)
        let strikes = Strikes(
            SystemBackend.services.map(\.rawValue) + ["extension"],
            most: Self.kills,
            seed: 1
        )
        let trouble = Task { await strikes.strike(backend) }
        let played = Task { try await run.run() }
        // All the kills shall fall into the weeks; what is played after the last one is played in peace.
        let outcome = try await played.value
        trouble.cancel()
        let kills = await trouble.value

        let (found, wanted) = (Strikes.told(outcome), Strikes.told(quiet))
        let different = zip(found, wanted).first { $0 != $1 }
        #expect(found.count == wanted.count)
        #expect(different == nil, "\(different as Any)")
        #expect(quiet.timeline.filter { $0.kind == .notification }.count >= Self.weeks * 7 * 2)
        #expect(kills >= Self.kills, "\(kills) kills")
        print("\(kills) kills in \(Self.weeks) weeks, \(Stopwatch.milliseconds() - start) ms, same outcome")
    }
}
