import STPlatform
import STSimulation
import STTestSupport

/// Measures the speed of virtual time.
struct SimulateBench {
    private let isShort: Bool

    init(isShort: Bool) { self.isShort = isShort }

    func run() async throws -> [Figure] {
        let weekDays = isShort ? 1 : 7
        let week = try await seconds(days: weekDays) { try await Simulation.withProcesses($0) }
        let yearDays = isShort ? 14 : 365
        let year = try await seconds(days: yearDays) { try await Simulation.inProcess($0) }
        return [
            Figure(
                bench: "simulate",
                name: "\(weekDays) days of four people, real processes",
                value: week,
                unit: "s",
                bar: isShort ? .none : .atMost(10)
            ),
            Figure(
                bench: "simulate",
                name: "\(yearDays) days of them within one process",
                value: year,
                unit: "s",
                bar: isShort ? .none : .atMost(30)
            ),
        ]
    }

    private func seconds(days: Int, _ play: (Scenario) async throws -> SimulationOutcome) async throws
        -> Double
    {
        let scenario = try ScenarioReader.read(Array(BusyWeeks.json(days: days).utf8), folder: "/")
        let start = Stopwatch.nanoseconds()
        let outcome = try await play(scenario)
        // A simulation without events would be fast.
        guard outcome.timeline.count > 24 * days else {
            throw Problem(
                "bench.nothing_told",
                verbatim: "Only \(outcome.timeline.count) things happened in \(days) days."
            )
        }
        return Double(Stopwatch.nanoseconds() - start) / 1e9
    }
}

/// A scenario of four people with twelve apps, six limits and 200 changes of the foreground app a day, drawn at random. Or of one
/// person with 1,000 changes.
enum BusyWeeks {
    private static let members = ["me", "grown-up", "kid", "teen"]
    private static let apps = (0..<12).map { "org.example.app\($0)" }

    static func json(days: Int, from start: String = "2026-03-02", isAlone: Bool = false) -> String {
        var random = SeededRandom(seed: 7)
        let people = isAlone ? Array(members.prefix(1)) : members
        let day = steps(of: people, changes: isAlone ? 1_000 : 200, &random).joined(separator: ",\n")
        let others = """
            "members": [{"name": "grown-up", "role": "guardian"}, {"name": "kid", "role": "child"},
                         {"name": "teen", "role": "child"}],
            """
        // A step can repeat a day for at most a year.
        let years = stride(from: 0, to: days, by: 365).map {
            "{\"days\": \(min(365, days - $0)), \"steps\": [\(day)]}"
        }
        return """
            {"name": "busy", "zone": "Europe/Berlin", "start": "\(start) 00:00",
             \(isAlone ? "" : others)
             "categories": {"org.example.app10": "games", "org.example.app11": "games"},
             "rules": [\(rules(of: people).joined(separator: ",\n"))],
             "steps": [\(years.joined(separator: ",\n"))]}
            """
    }

    private static func rules(of members: [String]) -> [String] {
        members.flatMap { member in
            (0..<6).map { number in
                let targets =
                    number < 5 ? "\"\(apps[2 * number])\", \"\(apps[2 * number + 1])\"" : "\"category:games\""
                let of = "\(20 + 10 * number)m"
                return "{\"limit\": [\(targets)], \"of\": \"\(of)\", \"name\": \"\(member)-\(number)\", "
                    + "\"member\": \"\(member)\", \"warn\": \"5m\"}"
            }
        }
    }

    /// Returns the steps of one day: sessions of twenty changes each.
    private static func steps(of members: [String], changes: Int, _ random: inout SeededRandom) -> [String] {
        var steps: [String] = []
        for member in members {
            var second = 7 * 3_600 + random.number(0...600)
            for change in 0..<changes {
                let length = max(5, (random.pick([20, 40, 60, 90, 180, 300, 420]) ?? 60) * 200 / changes)
                let at = change % 20 == 0 ? "\"at\": \"\(time(second))\", " : ""
                let app = random.pick(apps) ?? ""
                steps.append("{\(at)\"member\": \"\(member)\", \"use\": \"\(app)\", \"for\": \"\(length)s\"}")
                second += length
                if change % 20 == 19 { second += random.number(300...1_200) * 200 / changes }
            }
        }
        return steps
    }

    private static func time(_ second: Int) -> String {
        [second / 3_600, second / 60 % 60, second % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(
            separator: ":"
        )
    }
}
