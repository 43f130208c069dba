import STContracts
import STPlatform
import STSimulation
import STTestSupport
import Testing

@Suite("As a phone", .serialized)
struct PhoneTests {
    @Test("As a phone, an interval is reported at the first use or never, and each silence is printed")
    func firstUse() async throws {
        let scenario = try ScenarioFiles.read("as-phone.json")
        let outcome = try await Simulation.inProcess(scenario, asPhone: true)

        #expect(outcome.isMet)
        let told = outcome.timeline.map { "\($0.method ?? "") \(RFC3339.text(wallMs: $0.atMs))" }
        #expect(
            told == [
                "intervalDidStart 2026-05-04T07:15:00.000Z",
                "eventDidReachThreshold 2026-05-04T08:15:00.000Z",
                "intervalDidEnd 2026-05-04T11:00:00.000Z", "intervalDidStart 2026-05-06T06:00:00.000Z",
            ]
        )
        #expect(outcome.timeline.allSatisfy { $0.atMs == $0.toldMs })
        #expect(outcome.silences.count == 3)
        #expect(
            outcome.silences.last?.hasSuffix("was never announced: the device was not used in it.") == true
        )
        #expect(try await Simulation.withProcesses(scenario, asPhone: true) == outcome)
        #expect(try await Simulation.inProcess(scenario).silences == [])
    }

    /// An app whose monitor does what the activity is called.
    private func scenario(_ folder: ScratchDirectory, _ activities: [String]) throws -> Scenario {
        let point = ExtensionPoint.monitor.rawValue
        try folder.write(
            """
            {"id": "odd", "name": "Odd", "version": "1", "protocol": 1, "entitlements": ["family-controls"],
             "extensions": [{"point": "\(point)", "executable": "screentime-test-extension", "protocol": 1,
                             "entitlements": ["family-controls"]}]}
            """,
            to: "manifest.json"
        )
        let list = activities.map {
            #"{"name": "\#($0)", "app": "odd", "from": "08:00", "to": "12:00"}"#
        }
        return try ScenarioFiles.read(
            text: """
                {"name": "odd", "zone": "UTC", "start": "2026-05-04 07:00", "end": "2026-05-04 09:00",
                 "apps": [{"bundle": "\(folder.path)"}], "activities": [\(list.joined(separator: ", "))],
                 "steps": [{"at": "08:00", "use": "mail", "for": "10m"}]}
                """
        )
    }

    private static let activities = ["async", "crash", "crash-once", "hold20", "log", "ok"]

    @Test("by default work may finish, what failed is tried again, and what is lost is parked for all to see")
    func kinder() async throws {
        let folder = try ScratchDirectory()
        let scenario = try scenario(folder, Self.activities)
        let outcome = try await Simulation.withProcesses(scenario)

        let states = outcome.timeline.map {
            "\($0.activity ?? "") \($0.callback?.state.rawValue ?? "none") \($0.callback?.attempt ?? 0)"
        }
        #expect(
            states == [
                "async done 1", "crash parked 3", "crash-once done 2", "hold20 parked 1", "log done 1",
                "ok done 1",
            ]
        )
        let log = try #require(outcome.timeline.first { $0.activity == "log" }?.callback)
        #expect(log.lines == ["a printed line", "unfinished", "a log line"])
        #expect(log.complaints == ["an error line"])
        #expect(OutcomeText(outcome).text.contains("PARKED: extension.crashed"))
        #expect(outcome.silences == [])
        #expect(try await Simulation.withProcesses(scenario) == outcome, "the same each time")
    }

    @Test("work is cut off when the callback returns, and what fails is lost")
    func unkind() async throws {
        let folder = try ScratchDirectory()
        let activities = ["async-long"] + Self.activities.dropFirst()
        let outcome = try await Simulation.withProcesses(try scenario(folder, activities), asPhone: true)

        let lost = outcome.timeline.filter { $0.callback?.state == .parked }.map(\.activity)
        #expect(lost == ["crash", "crash-once", "hold20"])
        #expect(outcome.timeline.filter { $0.callback?.isCut == true }.map(\.activity) == ["async-long"])
        #expect(outcome.silences.count { $0.contains("is lost") } == 3)
        #expect(outcome.silences.count { $0.contains("cut off when it returned") } == 1)
    }
}
