import STContracts
import STDomain
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ

/// Measures the delay from the moment that a limit is reached until its shield is on the policy stream.
///
/// To measure an older version, copy this program into the folder of that version's services.
struct DecisionsBench {
    private static let limitsPerRound = 20

    private let options: TestSystemOptions
    private let people: [String]
    private let rounds: Int

    init(_ scratch: BenchScratch, isShort: Bool) {
        options = scratch.systemOptions
        // With more people, a household that already has rules would exceed the maximum of 200 rules.
        people = (1...(isShort ? 3 : 7)).map { "person-\($0)" }
        rounds = isShort ? 1 : 8
    }

    func run() async throws -> [Figure] {
        try await TestSystem.run(
            services: [.auth, .activity, .monitor, .shield, .notifier],
            options: options
        ) {
            try await measure($0)
        }
    }

    private func measure(_ system: TestSystem) async throws -> [Figure] {
        let disk = DiskBaseline(system.scratch.file("baseline"))
        let witness = try PolicyWitness(try system.endpoint(.shield, .events))
        defer { witness.stop() }
        try await eventually("the policy stream has a subscriber") {
            if !witness.hasJoined { throw NotYet("it has none") }
        }
        let endpoint = try system.endpoint(.activity)
        let agents = try people.enumerated().map { try CrossingAgent($1, endpoint, seed: UInt64($0 + 1)) }
        defer { for agent in agents { agent.close() } }
        for person in people {
            _ = try await system.client.call(MemberAdd.self, Member(name: person, role: .individual))
        }
        // The rules of a household with records are also watched.
        let own = try await watched(system)
        var delaysUs: [Int64] = []
        for _ in 0..<rounds {
            var limits: [(agent: CrossingAgent, number: Int, rule: RuleView)] = []
            for agent in agents {
                for number in agent.due.count..<(agent.due.count + Self.limitsPerRound) {
                    limits.append((agent, number, try await limit(agent.person, seconds: number + 1, system)))
                }
            }
            try await waitUntilWatched(own + limits.count, system)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for agent in agents {
                    group.addTask {
                        try await agent.play(Array(repeating: .still, count: Self.limitsPerRound))
                    }
                }
                try await group.waitForAll()
            }
            for limit in limits {
                let shieldedUs = try await eventually(
                    "the policy stream contains the shield of \(limit.rule.id)"
                ) {
                    guard let us = witness.shieldedUs(store: limit.rule.id) else {
                        throw NotYet("it does not")
                    }
                    return us
                }
                delaysUs.append(shieldedUs - limit.agent.due[limit.number] * 1_000)
                let removal = RuleRemove.Request(name: limit.rule.rule.name ?? "")
                _ = try await system.client.call(RuleRemove.self, to: .monitor, removal)
            }
            // Otherwise the next round would count the activities of this one.
            try await waitUntilWatched(own, system)
        }
        var times = Measurement()
        times.add(delaysUs.map { $0 * 1_000 })
        return [
            figure("limits reached", value: Double(delaysUs.count), unit: ""),
            figure("delay to the policy stream, p50", value: times.quantileUs(0.5) / 1_000, unit: "ms"),
            figure(
                "delay to the policy stream, p99",
                value: times.quantileUs(0.99) / 1_000,
                unit: "ms",
                bar: .atMost(40)
            ),
            figure(
                "delay to the policy stream, minimum",
                value: Double(delaysUs.min() ?? -1) / 1_000,
                unit: "ms",
                bar: .atLeast(0)
            ),
            figure("one frame at 60 Hz", value: 1_000 / 60, unit: "ms"),
        ] + disk.figures(of: "decisions")
    }

    private func figure(_ name: String, value: Double, unit: String, bar: Figure.Bar = .none) -> Figure {
        Figure(bench: "decisions", name: name, value: value, unit: unit, bar: bar)
    }

    private func limit(_ person: String, seconds: Int, _ system: TestSystem) async throws -> RuleView {
        let spec = RuleSpec(
            kind: .limit,
            name: "\(person)-\(seconds)",
            member: person,
            // activity-center refuses a second limit for the same apps. The extra app makes each set different.
            targets: [CrossingAgent.target, "org.example.app-\(seconds)"].map {
                TokenItem(kind: .application, id: $0)
            },
            durationMs: Int64(seconds) * 1_000,
            then: .shield
        )
        return try await eventually("activity-center accepts a limit for \(person)") {
            // Older versions answer requests for rules only on this service.
            try await system.client.call(RuleAdd.self, to: .monitor, .init(spec)).rule
        }
    }

    /// The number of activities of rules that activity-center watches.
    private func watched(_ system: TestSystem) async throws -> Int {
        var (found, next) = (0, String?.none)
        repeat {
            let page = try await system.client.call(
                ActivityList.self,
                .init(app: BuiltInRules.app, next: next)
            )
            (found, next) = (found + page.activities.count, page.next)
        } while next != nil
        return found
    }

    private func waitUntilWatched(_ count: Int, _ system: TestSystem) async throws {
        try await eventually(within: .seconds(60), "activity-center watches every limit") {
            let found = try await watched(system)
            guard found == count else { throw NotYet("\(found) of \(count)") }
        }
    }
}
