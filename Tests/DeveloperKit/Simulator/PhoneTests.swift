import STContracts
import STPlatform
import STSimulation
import STTestSupport
import Testing

@Suite("Simulations of a phone", .serialized)
struct PhoneTests {
    @Test("As on a phone, an interval is reported at the first usage or never, and each omission is listed")
    func firstUse() async throws {
        let scenario = try ScenarioFiles.read("as-phone.json")
        let outcome = try await Simulation.inProcess(scenario, asPhone: true)

        #expect(outcome.isMet)
        let told = outcome.timeline.map { "\($0.method ?? "") \(RFC3339.text(wallMs: $0.at.ms))" }
        #expect(
            told == [
                "intervalDidStart 2026-05-04T07:15:00.000Z",
                "eventDidReachThreshold 2026-05-04T08:15:00.000Z",
                "intervalDidEnd 2026-05-04T11:00:00.000Z", "intervalDidStart 2026-05-06T06:00:00.000Z",
            ]
        )
        #expect(outcome.timeline.allSatisfy { $0.at == $0.reported })
        #expect(outcome.unreportedProblems.count == 3)
        #expect(
            outcome.unreportedProblems.last?.hasSuffix("was never announced: the device was not used in it.")
                == true
        )
        #expect(try await Simulation.withProcesses(scenario, asPhone: true) == outcome)
        #expect(try await Simulation.inProcess(scenario).unreportedProblems == [])
    }

    /// An app whose monitor acts according to the name of the activity.
    private func scenario(
        _ folder: ScratchDirectory,
        _ activities: [String],
        monitor: String = "screentime-test-extension",
        end: String = "2026-05-04 09:00",
        more steps: [String] = []
    ) throws -> Scenario {
        let point = ExtensionPoint.monitor.rawValue
        try folder.write(
            """
            {"id": "odd", "name": "Odd", "version": "1", "protocol": 1, "entitlements": ["family-controls"],
             "extensions": [{"point": "\(point)", "executable": "\(monitor)", "protocol": 1,
                             "entitlements": ["family-controls"]}]}
            """,
            to: "manifest.json"
        )
        let list = activities.map {
            #"""
            {"name": "\#($0)", "app": "odd", "from": "08:00", "to": "12:00", "events": [
             {"name": "some", "after": "15m"}, {"name": "more", "after": "25m"}]}
            """#
        }
        let steps = [#"{"at": "2026-05-04 08:00", "use": "mail", "for": "10m"}"#] + steps
        return try ScenarioFiles.read(
            text: """
                {"name": "odd", "zone": "UTC", "start": "2026-05-04 07:00", "end": "\(end)",
                 "apps": [{"bundle": "\(folder.path)"}], "activities": [\(list.joined(separator: ", "))],
                 "steps": [\(steps.joined(separator: ", "))]}
                """
        )
    }

    private static let activities = ["async", "crash", "crash-once", "hold20", "log", "ok"]

    @Test(
        "Without the phone mode, unfinished work continues, failed callbacks are retried, and lost ones are parked"
    )
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
        #expect(outcome.unreportedProblems == [])
        #expect(try await Simulation.withProcesses(scenario) == outcome, "the same each time")
    }

    @Test("As on a phone, work is cut off when a callback returns, and a failed callback is lost")
    func unkind() async throws {
        let folder = try ScratchDirectory()
        let activities = ["async-long"] + Self.activities.dropFirst()
        let outcome = try await Simulation.withProcesses(try scenario(folder, activities), asPhone: true)

        let lost = outcome.timeline.filter { $0.callback?.state == .parked }.map(\.activity)
        #expect(lost == ["crash", "crash-once", "hold20"])
        #expect(outcome.timeline.filter { $0.callback?.isCut == true }.map(\.activity) == ["async-long"])
        #expect(outcome.unreportedProblems.count { $0.contains("is lost") } == 3)
        #expect(outcome.unreportedProblems.count { $0.contains("cut off when it returned") } == 1)
    }

    // MARK: - Faults

    private static let twoDays = [
        #"{"at": "2026-05-04 08:20", "use": "mail", "for": "30m"}"#,
        #"{"at": "2026-05-04 12:30", "use": "mail", "for": "1m"}"#,
        #"{"at": "2026-05-05 08:40", "use": "mail", "for": "5m"}"#,
    ]

    /// Callbacks of two days with their times.
    private func calls(_ faults: [PhoneFault], _ steps: [String] = twoDays) async throws -> [String] {
        let folder = try ScratchDirectory()
        let scenario = try scenario(folder, ["ok"], end: "2026-05-05 10:00", more: steps)
        let outcome = try await Simulation.withProcesses(scenario, asPhone: true, faults: faults)
        #expect(outcome.timeline.allSatisfy { $0.callback?.state ?? .done == .done })
        return outcome.timeline.filter { $0.method != nil }.map { entry in
            let moment = RFC3339.text(wallMs: entry.reported.ms).dropFirst(8).prefix(8)
            return "\(moment) \(entry.event ?? entry.method ?? "")"
        }
    }

    private static let usual = [
        "04T08:00 intervalDidStart", "04T08:25 some", "04T08:35 more", "04T12:30 intervalDidEnd",
        "05T08:40 intervalDidStart",
    ]

    @Test(
        "Each phone fault changes the callbacks as on phones with that fault",
        arguments: [
            ([], usual),
            (
                [.earlyThresholds],
                [
                    "04T08:00 intervalDidStart", "04T08:00 more", "04T08:00 some", "04T12:30 intervalDidEnd",
                    "05T08:40 intervalDidStart", "05T08:40 more", "05T08:40 some",
                ]
            ),
            (
                [.batchedThresholds],
                [
                    "04T08:00 intervalDidStart", "04T09:00 some", "04T09:00 more", "04T12:30 intervalDidEnd",
                    "05T08:40 intervalDidStart",
                ]
            ), ([.midnightThresholds], usual + ["05T08:40 more", "05T08:40 some"]),
            ([.missedStart], ["04T08:25 some", "04T08:35 more", "04T12:30 intervalDidEnd"]),
        ] as [([PhoneFault], [String])]
    )
    func faults(_ faults: [PhoneFault], _ wanted: [String]) async throws {
        #expect(try await calls(faults) == wanted)
    }

    @Test("Killing activity-center does not change the effect of a phone fault")
    func killed() async throws {
        let kill = #"{"at": "2026-05-04 08:37", "kill": "activity-center"}"#
        for fault in [PhoneFault.earlyThresholds, .batchedThresholds, .midnightThresholds, .missedStart] {
            let whole = try await calls([fault])
            let killed = Self.twoDays.prefix(1) + [kill] + Self.twoDays.dropFirst()
            #expect(try await calls([fault], Array(killed)) == whole, "\(fault)")
        }
    }

    @Test("With the fault of a stale status, an extension does not receive its approval")
    func stale() async throws {
        let folder = try ScratchDirectory()
        let scenario = try scenario(folder, ["status"], monitor: "screentime-sample-monitor")
        func said(_ faults: [PhoneFault]) async throws -> [String] {
            let outcome = try await Simulation.withProcesses(scenario, asPhone: true, faults: faults)
            return outcome.timeline.flatMap { $0.callback?.lines ?? [] }
        }
        #expect(try await said([]).contains("status Approved"))
        let stale = try await said([.staleAuthorization])
        #expect(stale.contains("status Not Determined"))
        #expect(!stale.contains("status Approved"))
    }

    @Test("With the fault of changed tokens, a shield extension does not recognise the tokens of its app")
    func changedTokens() async throws {
        let worklog = BuiltTree.source("Services/developer-kit/examples/worklog")
        let scenario = try ScenarioFiles.read(
            text: """
                {"name": "evenings", "zone": "UTC", "start": "2026-05-04 07:00", "end": "2026-05-05 15:00",
                 "apps": [{"bundle": "\(worklog)"}],
                 "steps": [
                   {"run": ["worklog", "--work", "code", "--hours", "2h", "--start", "--evenings", "on"]},
                   {"at": "2026-05-04 14:00", "use": "discord", "for": "10m"},
                   {"at": "2026-05-05 14:00", "use": "discord", "for": "10m"}
                 ]}
                """
        )
        func titles(_ faults: [PhoneFault]) async throws -> [String] {
            let outcome = try await Simulation.withProcesses(scenario, asPhone: true, faults: faults)
            return outcome.timeline.filter { $0.kind == .shield }.map { String(($0.text ?? "").prefix(7)) }
        }
        #expect(try await titles([]) == ["Not now", "Not now"])
        #expect(try await titles([.changedTokens]) == ["Not now", "Work fi"])
    }
}
