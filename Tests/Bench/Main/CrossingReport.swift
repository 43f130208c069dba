import STPlatform

/// What was due, what was heard, and what was called, held against each other.
struct CrossingReport {
    private struct Key: Hashable {
        var member: String
        var event: String
    }

    private let agents: [CrossingAgent]
    private let sightings: [CrossingWitness.Sighting]
    private let callbacks: [CrossingStamps.Callback]
    private let due: [Key: Int64]

    init(agents: [CrossingAgent], sightings: [CrossingWitness.Sighting], stamps: CrossingStamps) {
        self.agents = agents
        self.sightings = sightings
        callbacks = stamps.crossings
        due = agents.reduce(into: [:]) { due, agent in
            for (index, ms) in agent.due.enumerated() {
                due[Key(member: agent.person, event: "e\(index + 1)")] = ms
            }
        }
    }

    func figures(count: Int) -> [Figure] {
        let commits = late(sightings.map { ($0.heardUs, Key(member: $0.member, event: $0.event)) })
        let warm = late(callbacks.filter(\.isWarm).map { ($0.us, Key(member: $0.member, event: $0.event)) })
        let cold = late(
            callbacks.filter { !$0.isWarm }.map { ($0.us, Key(member: $0.member, event: $0.event)) }
        )
        let all = commits + warm + cold
        return [figure("crossings", Double(due.count), "", .atLeast(Double(count)))]
            + spread("commit", commits, barMs: 20)
            + spread("callback, warm", warm, barMs: 30)
            + spread("callback, cold", cold, barMs: 60)
            + [
                figure("the earliest of all", Double(all.min() ?? -1) / 1000, "ms late", .atLeast(0)),
                figure("told with another moment than computed", Double(wrong), "", .atMost(0)),
                figure(
                    "not told once",
                    Double(missing(sightings.map { Key(member: $0.member, event: $0.event) })),
                    "",
                    .atMost(0)
                ),
                figure(
                    "not called once",
                    Double(missing(callbacks.map { Key(member: $0.member, event: $0.event) })),
                    "",
                    .atMost(0)
                ),
                figure(
                    "agents that died",
                    Double(agents.reduce(0) { $0 + $1.silences.count }),
                    "",
                    .atLeast(1)
                ),
                figure("told while the agent was dead", Double(fromTheDead), "", .atMost(0)),
                figure(
                    "moments to speak that were none",
                    Double(agents.reduce(0) { $0 + $1.wrongChecks }),
                    "",
                    .atMost(0)
                ),
            ]
    }

    private func figure(_ name: String, _ value: Double, _ unit: String, _ bar: Figure.Bar = .none) -> Figure
    {
        Figure(bench: "crossings", name: name, value: value, unit: unit, bar: bar)
    }

    private func spread(_ name: String, _ us: [Int64], barMs: Double) -> [Figure] {
        var times = Measurement()
        times.add(us.map { $0 * 1000 })
        return [
            figure("\(name): how many", Double(us.count), ""),
            figure("\(name): late by, p50", times.quantileUs(0.5) / 1000, "ms"),
            figure(
                "\(name): late by, p99",
                us.isEmpty ? .infinity : times.quantileUs(0.99) / 1000,
                "ms",
                .atMost(barMs)
            ),
            figure("\(name): late by, the latest", Double(us.max() ?? 0) / 1000, "ms"),
        ]
    }

    /// In microseconds after the moment that was computed here.
    private func late(_ moments: [(us: Int64, key: Key)]) -> [Int64] {
        moments.compactMap { moment in due[moment.key].map { moment.us - $0 * 1000 } }
    }

    private var wrong: Int {
        sightings.count { due[Key(member: $0.member, event: $0.event)] != $0.dueBootMs }
    }

    /// Those that did not come, and those that came too often.
    private func missing(_ keys: [Key]) -> Int {
        let counts = keys.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        return due.keys.count { counts[$0] != 1 } + counts.keys.count { due[$0] == nil }
    }

    private var fromTheDead: Int {
        agents.reduce(0) { count, agent in
            count
                + sightings.count { sighting in
                    sighting.member == agent.person
                        && agent.silences.contains {
                            sighting.dueBootMs >= $0.lowerBound && $0.contains(sighting.heardUs / 1000)
                        }
                }
        }
    }
}
