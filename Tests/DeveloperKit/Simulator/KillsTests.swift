import Foundation
import STContracts
import STPlatform
import STSimulation
import STTestSupport
import Testing

@Suite("Processes that are killed at random moments", .serialized)
struct KillsTests {
    private static let services = [
        "auth-service", "activity-center", "monitor-runner", "shield-service", "report-service", "notifier",
        "extension",
    ]

    /// Days with usage at many hours. `kills` contains the times and programs to kill.
    private func json(days: Int, kills: [(atMs: Int64, program: String)] = []) -> String {
        var steps: [(atMs: Int64, text: String)] = kills.map { kill in
            (kill.atMs, #"{"at": "\#(RFC3339.text(wallMs: kill.atMs))", "kill": "\#(kill.program)"}"#)
        }
        for day in 0..<days {
            for (hour, app) in [(7, "game"), (9, "work"), (13, "game"), (15, "firefox"), (20, "game")] {
                let atMs = Self.startMs + Int64(day) * 86_400_000 + Int64(hour) * 3_600_000
                steps.append(
                    (atMs, #"{"at": "\#(RFC3339.text(wallMs: atMs))", "use": "\#(app)", "for": "65m"}"#)
                )
            }
        }
        let ordered = steps.enumerated().sorted {
            ($0.element.atMs, $0.offset) < ($1.element.atMs, $1.offset)
        }
        return """
            {"name": "kills", "zone": "UTC", "start": "2026-05-04 00:00",
             "end": "\(RFC3339.text(wallMs: Self.startMs + Int64(days) * 86_400_000))",
             "rules": [{"limit": ["game"], "of": "2h", "name": "game", "warn": "15m", "say": "Stop."},
                       {"downtime": "21:30-06:30", "name": "night", "warn": "10m"},
                       {"goal": ["work"], "of": "1h", "opens": ["game"], "name": "work"}],
             "activities": [{"name": "day", "from": "06:00", "to": "22:00", "warning": "30m",
                             "events": [{"name": "web", "of": ["firefox"], "after": "1h"}, {"name": "all", "after": "4h"}]}],
             "steps": [\(ordered.map(\.element.text).joined(separator: ",\n"))]}
            """
    }

    private static let startMs: Int64 = 1_777_852_800_000

    /// Callbacks and notifications, without the kills and the number of attempts.
    private func told(_ outcome: SimulationOutcome) -> [String] {
        outcome.timeline.filter { $0.kind != .step }.map { entry in
            "\(entry.at.ms) \(entry.reported.ms) \(entry.method ?? "notification") \(entry.app ?? "")/\(entry.activity ?? "")"
                + "/\(entry.event ?? "") \(entry.text ?? "") \(entry.callback?.state.rawValue ?? "")"
        }
    }

    /// Half of the kills happen at the time of a report.
    private func kills(_ count: Int, days: Int, outcome: SimulationOutcome, random: inout SeededRandom)
        -> [(atMs: Int64, program: String)]
    {
        (0..<count).map { _ in
            let program = Self.services[random.number(0...(Self.services.count - 1))]
            let entry = outcome.timeline[random.number(0...(outcome.timeline.count - 1))]
            let anyMs = Self.startMs + random.number(0...(Int64(days) * 86_400_000 - 1))
            return (random.chance(percent: 50) ? entry.reported.ms : anyMs, program)
        }
    }

    @Test(
        "Killing processes changes neither callbacks nor notifications, nor their order",
        arguments: SoakLength.killDays
    )
    func kills(_ length: SoakLength.Kills) async throws {
        var random = SeededRandom(seed: length.seed)
        let calm = try await Simulation.withProcesses(try ScenarioFiles.read(text: json(days: length.days)))
        let plan = kills(length.kills, days: length.days, outcome: calm, random: &random)
        let troubled = try await Simulation.withProcesses(
            try ScenarioFiles.read(text: json(days: length.days, kills: plan))
        )

        #expect(troubled.timeline.count { $0.kind == .step } == length.kills)
        let before = told(calm)
        let after = told(troubled)
        #expect(before.count > 15 * length.days)
        #expect(Set(after).symmetricDifference(before) == [], "seed \(length.seed)")
        #expect(after.count == before.count, "nothing is reported twice")
        let firstMoved = zip(after, before).first { $0 != $1 }
        #expect(firstMoved == nil, "in the same order")
    }
}

/// Lengths of the kill tests: short in every test run, long in `scripts/soak.sh`.
enum SoakLength {
    struct Kills: Sendable, CustomTestStringConvertible {
        var seed: UInt64
        var days: Int
        var kills: Int

        var testDescription: String { "\(kills) in \(days) days, seed \(seed)" }
    }

    private static var isLong: Bool { TestScale.isSoak }

    static var killDays: [Kills] {
        isLong
            ? (1...10).map { Kills(seed: UInt64($0), days: 7, kills: 50) }
            : [Kills(seed: 1, days: 2, kills: 12)]
    }
}
