import STContracts
import STPlatform
import STSimulation
import Testing

@Suite("Scenarios within one process")
struct InProcessTests {
    @Test(
        "A scenario meets its expectations within one process and has the same outcome each time",
        arguments: ScenarioFiles.withoutApps
    )
    func scenarios(_ name: String) async throws {
        let scenario = try ScenarioFiles.read(name)
        let outcome = try await Simulation.inProcess(scenario)

        #expect(outcome.isMet, "\(OutcomeText(outcome).text)")
        #expect(!outcome.verdicts.isEmpty)
        #expect(try await Simulation.inProcess(scenario) == outcome)
    }

    @Test("The scenario files include ones with apps and ones without")
    func kinds() {
        #expect(ScenarioFiles.withoutApps.count > 10)
        #expect(ScenarioFiles.withoutApps.count < ScenarioFiles.names.count)
    }

    @Test("The example scenario meets its expectations")
    func example() async throws {
        let outcome = try await Simulation.inProcess(try ScenarioFiles.read(text: ScenarioExample.text))

        #expect(outcome.isMet, "\(OutcomeText(outcome).text)")
    }

    @Test("An unmet expectation reports what happened instead")
    func unmet() async throws {
        let text = ScenarioExample.text
            .replacing("2026-10-23 17:40", with: "2026-10-23 17:40:00.001")
            .replacing("\"35m\"", with: "\"36m\"")
        let outcome = try await Simulation.inProcess(try ScenarioFiles.read(text: text))

        #expect(!outcome.isMet)
        #expect(outcome.verdicts.map(\.isMet) == [true, false, false, false])
        let told = OutcomeText(outcome).text
        #expect(
            told.contains("NOT MET (/expect/1): eventDidReachThreshold(chess) at 2026-10-23 17:40:00.001")
        )
        #expect(told.contains("there was: 2026-10-23 17:40:00.000 eventDidReachThreshold(used, chess)"))
        #expect(told.contains("NOT MET (/expect/3): 36 min in the ledger in org.example.chess"))
        #expect(told.contains("it is 35 min"))
    }

    @Test("Notifications of apps are recorded for the member, unless the agent is blind")
    func notifications() async throws {
        let scenario = try ScenarioFiles.read(
            text: """
                {"name": "n", "zone": "UTC", "start": "2026-05-04 10:00", "members": [{"name": "kim", "role": "child"}],
                 "steps": [
                    {"use": "editor", "for": "20m"}, {"at": "10:05", "notify": "chat", "times": 3},
                    {"at": "10:06", "notify": "chat", "member": "kim"},
                    {"at": "10:07", "blind": "5m"}, {"at": "10:08", "notify": "mail"},
                    {"at": "10:15", "notify": "mail"}],
                 "expect": [{"ledger": "15m", "app": "editor"}]}
                """
        )
        let outcome = try await Simulation.inProcess(
            scenario,
            afterwards: { services in
                let rows = try await services.call(UsageNotifications.self, .init()).rows
                #expect(
                    rows.map {
                        "\($0.app) \($0.count) \(RFC3339.text(wallMs: $0.wallMs).dropFirst(11).prefix(5))"
                    }
                        == ["chat 3 10:05", "chat 1 10:06", "mail 1 10:15"]
                )
                #expect(rows[1].member == "kim")
            }
        )

        #expect(outcome.isMet, "\(OutcomeText(outcome).text)")
        #expect(OutcomeText(outcome).text.contains("chat notifies me, 3 times"))
        for bad in ["0", "10001", "\"3\""] {
            let text =
                #"{"name": "n", "zone": "UTC", "start": "2026-05-04 10:00", "steps": [{"notify": "a", "times": \#(bad)}]}"#
            #expect(throws: Problem.self) { try ScenarioFiles.read(text: text) }
        }
    }

    @Test("An unexpected rejection ends a scenario and names its step")
    func unexpectedRefusal() async throws {
        let scenario = try ScenarioFiles.read(
            text: """
                {"name": "n", "zone": "UTC", "start": "2026-05-04 10:00",
                 "steps": [{"use": "a", "for": "1m"}, {"start": {"name": "x", "from": "10:00", "to": "10:01"}}]}
                """
        )
        let problem = await refused { _ = try await Simulation.inProcess(scenario) }

        #expect(problem?.code == "activity.interval_too_short")
        #expect(problem?.field == "/steps/1")
    }

    @Test("A scenario with apps is rejected within one process")
    func apps() async throws {
        let scenario = try ScenarioFiles.read(
            text: #"{"name": "n", "zone": "UTC", "start": "2026-05-04 10:00", "apps": [{"bundle": "x"}]}"#
        )
        let problem = await refused { _ = try await Simulation.inProcess(scenario) }

        #expect(problem?.code == "simulation.needs_processes")
        #expect(problem?.field == "/apps")
    }
}

func refused(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Void
) async -> Problem? {
    do {
        try await body()
        return nil
    } catch {
        return Problem(error)
    }
}
