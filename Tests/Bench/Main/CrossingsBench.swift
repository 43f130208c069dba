import STContracts
import STDomain
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ

/// Measures the delay of a threshold on the real clock: on the stream, and in the callback of a warm and of a cold extension.
///
/// Checks that it is never early.
struct CrossingsBench {
    private static let dyingTurns: [CrossingTurn] = [
        .still, .dies(3), .still, .dies(1), .still, .dies(5), .still,
    ]

    private let isShort: Bool
    private let people: [String]
    private let dying: [String]
    private let warmTurns: Int
    private let coldTurns: Int

    private let options: TestSystemOptions

    init(_ scratch: BenchScratch, isShort: Bool) {
        options = scratch.systemOptions
        self.isShort = isShort
        people = (1...(isShort ? 5 : 10)).map { "person-\($0)" }
        dying = (1...(isShort ? 1 : 2)).map { "dying-\($0)" }
        warmTurns = isShort ? 8 : 60
        coldTurns = isShort ? 4 : 40
    }

    func run() async throws -> [Figure] {
        try await TestSystem.run(services: [.auth, .activity, .monitor], options: options) { system in
            try await measure(system)
        }
    }

    private func measure(_ system: TestSystem) async throws -> [Figure] {
        let disk = DiskBaseline(system.scratch.file("baseline"))
        let witness = try CrossingWitness(try system.endpoint(.activity, .events))
        defer { witness.stop() }
        try await eventually("the witness has joined") {
            if !witness.hasJoined { throw NotYet("it has not") }
        }
        for person in people + dying { try await watch(person, system) }
        let endpoint = try system.endpoint(.activity)
        let agents = try (people + dying).enumerated().map { index, person in
            try CrossingAgent(person, endpoint, seed: UInt64(index + 1))
        }
        defer { for agent in agents { agent.close() } }
        try await play(agents, isCold: false)
        try await settle(system, agents)
        try system.scratch.write("[monitor-runner]\nkeep_warm_ms = 0\n", to: "config")
        try await restart(system)
        try await play(agents.filter { people.contains($0.person) }, isCold: true)
        try await settle(system, agents)
        let report = CrossingReport(
            agents: agents,
            sightings: witness.sightings,
            stamps: CrossingStamps(stamps(system))
        )
        return try report.figures(count: isShort ? 60 : 1_000) + disk.figures(of: "crossings")
    }

    private func stamps(_ system: TestSystem) -> String { "\(system.directories.state)/groups/stamps" }

    // MARK: - What is watched

    /// Adds a person, an app, and one event for each second of usage.
    private func watch(_ person: String, _ system: TestSystem) async throws {
        _ = try await system.client.call(MemberAdd.self, Member(name: person, role: .individual))
        let app = "org.example.\(person)"
        let manifest = AppBundle.manifest(id: app, monitor: "screentime-bench-monitor")
        let bundle = try AppBundle(in: system.scratch, id: app, executables: ["app"], manifest: manifest)
        let program = try BuiltTree.program("screentime-bench-monitor")
        let programs = String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)])
        try await system.approve(app, member: person, bundle: bundle.path, programs: programs)
        let target = ActivityTarget(kind: .application, id: CrossingAgent.target)
        // A few more than turns, because an agent that dies late crosses twice.
        let events = (1...(warmTurns + coldTurns + Self.dyingTurns.count)).map { second in
            ActivityEventSpec(
                name: "e\(second)",
                targets: [target],
                threshold: DateFields(second: second),
                includesPastActivity: false
            )
        }
        let request = ActivityStart.Request(
            app: app,
            member: person,
            activity: person,
            schedule: Self.wholeDay(),
            events: events
        )
        try await eventually("activity-center accepts activities for \(person)") {
            _ = try await system.client.call(ActivityStart.self, request)
        }
    }

    /// Returns a schedule that began a minute ago, so that no interval begins or ends during the bench.
    private static func wholeDay() -> Schedule {
        let minutes = Int(SystemTimeSource().now().wallMs / 60_000 - 1)
        let time = DateFields(hour: minutes / 60 % 24, minute: minutes % 60)
        return Schedule(start: time, end: time, repeats: true)
    }

    // MARK: - What happens

    private func play(_ agents: [CrossingAgent], isCold: Bool) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, agent) in agents.enumerated() {
                let turns = turns(of: agent, index, isCold: isCold)
                group.addTask { try await agent.play(turns) }
            }
            try await group.waitForAll()
        }
    }

    private func turns(of agent: CrossingAgent, _ index: Int, isCold: Bool) -> [CrossingTurn] {
        if dying.contains(agent.person) {
            return isShort ? Array(Self.dyingTurns.prefix(3)) : Self.dyingTurns
        }
        var random = SeededRandom(seed: UInt64(index) + (isCold ? 1_000 : 0))
        return (0..<(isCold ? coldTurns : warmTurns)).map { _ in
            let ms = Int64(random.number(1...5))
            switch random.number(0...9) {
            case 0: return .changeBefore(ms)
            case 1: return .changeAfter(ms)
            case 2: return .changeInstead(ms)
            default: return .still
            }
        }
    }

    /// Waits until every crossing has had its callback, or until a timeout.
    private func settle(_ system: TestSystem, _ agents: [CrossingAgent]) async throws {
        let count = agents.reduce(0) { $0 + $1.due.count }
        try? await eventually(within: .seconds(10)) {
            let made = CrossingStamps(stamps(system)).crossings.count
            if made < count { throw NotYet("\(made) of \(count) callbacks") }
        }
    }

    private func restart(_ system: TestSystem) async throws {
        let old = try system.pid(.monitor)
        try system.restart(.monitor)
        try await eventually("monitor-runner follows again") {
            if try system.pid(.monitor) == old { throw NotYet("the old one runs") }
            let report = try await system.client.call(HealthReport.self, to: .monitor, Empty())
            // This system has no shields, so the stream of shield-service is never reached.
            let followed = report.cursors.filter { $0.source != ServiceName.shield.rawValue }
            guard followed.count == 2, followed.allSatisfy({ $0.state == "live" }) else {
                throw NotYet("\(report.cursors)")
            }
        }
    }
}

/// Compares the expected crossings with the events and the callbacks.
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

    func figures(count: Int) throws -> [Figure] {
        let commits = late(sightings.map { ($0.heardUs, Key(member: $0.member, event: $0.event)) })
        let warm = late(callbacks.filter(\.isWarm).map { ($0.us, Key(member: $0.member, event: $0.event)) })
        let cold = late(
            callbacks.filter { !$0.isWarm }.map { ($0.us, Key(member: $0.member, event: $0.event)) }
        )
        let all = commits + warm + cold
        return try [figure("crossings", value: Double(due.count), unit: "", bar: .atLeast(Double(count)))]
            + spread("commit", commits, barMs: 20)
            + spread("callback, warm", warm, barMs: 30)
            + spread("callback, cold", cold, barMs: 60)
            + [
                figure(
                    "the earliest of all",
                    value: Double(all.min() ?? -1) / 1000,
                    unit: "ms late",
                    bar: .atLeast(0)
                ),
                figure(
                    "told with another moment than computed",
                    value: Double(wrong),
                    unit: "",
                    bar: .atMost(0)
                ),
                figure(
                    "not told once",
                    value: Double(missing(sightings.map { Key(member: $0.member, event: $0.event) })),
                    unit: "",
                    bar: .atMost(0)
                ),
                figure(
                    "not called once",
                    value: Double(missing(callbacks.map { Key(member: $0.member, event: $0.event) })),
                    unit: "",
                    bar: .atMost(0)
                ),
                figure(
                    "agents that died",
                    value: Double(agents.reduce(0) { $0 + $1.silences.count }),
                    unit: "",
                    bar: .atLeast(1)
                ),
                figure(
                    "told while the agent was dead",
                    value: Double(fromTheDead),
                    unit: "",
                    bar: .atMost(0)
                ),
                figure(
                    "moments to speak that were none",
                    value: Double(agents.reduce(0) { $0 + $1.wrongChecks }),
                    unit: "",
                    bar: .atMost(0)
                ),
            ]
    }

    private func figure(_ name: String, value: Double, unit: String, bar: Figure.Bar = .none) -> Figure {
        Figure(bench: "crossings", name: name, value: value, unit: unit, bar: bar)
    }

    private func spread(_ name: String, _ us: [Int64], barMs: Double) throws -> [Figure] {
        guard !us.isEmpty else {
            throw Problem("bench.failed", verbatim: "No \(name) was seen, so there is nothing to measure.")
        }
        var times = Measurement()
        times.add(us.map { $0 * 1000 })
        return [
            figure("\(name): how many", value: Double(us.count), unit: ""),
            figure("\(name): late by, p50", value: times.quantileUs(0.5) / 1000, unit: "ms"),
            figure(
                "\(name): late by, p99",
                value: times.quantileUs(0.99) / 1000,
                unit: "ms",
                bar: .atMost(barMs)
            ),
            figure("\(name): late by, the latest", value: Double(us.max() ?? 0) / 1000, unit: "ms"),
        ]
    }

    /// Returns the delays in microseconds after the computed moments.
    private func late(_ moments: [(us: Int64, key: Key)]) -> [Int64] {
        moments.compactMap { moment in due[moment.key].map { moment.us - $0 * 1000 } }
    }

    private var wrong: Int {
        sightings.count { due[Key(member: $0.member, event: $0.event)] != $0.dueBootMs }
    }

    /// Returns the number of missing and repeated crossings.
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

/// The callbacks that the extensions have recorded.
struct CrossingStamps {
    struct Callback {
        var us: Int64
        /// True if the process had a call before.
        var isWarm: Bool
        var member: String
        var event: String
    }

    private(set) var callbacks: [Callback] = []

    /// Reads lines of `microseconds pid activity event`. The activity has the name of the person.
    init(_ path: String) {
        var known: Set<Substring> = []
        for line in ScratchDirectory.text(path).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 4, let us = Int64(words[0]) else { continue }
            callbacks.append(
                Callback(
                    us: us,
                    isWarm: !known.insert(words[1]).inserted,
                    member: String(words[2]),
                    event: String(words[3])
                )
            )
        }
    }

    var crossings: [Callback] { callbacks.filter { $0.event != "-" } }
}
