import STBus
import STContracts
import STPlatform
import STServiceKit
import STZeroMQ

/// Tells the household what changed in the rules of its people, and takes what stands there, until both have the same.
struct RuleExchange {
    struct Seen: Equatable {
        /// The household, its numbers, and this machine's stay in it.
        var household: String
        var changes: Int
        var news: Int64
        var accounts: [HouseholdAccount]
        var children: [String]
    }

    private static let roundsMax = 50

    private let bus: BusClient
    private let surroundings: Surroundings

    init(_ bus: BusClient, _ surroundings: Surroundings) {
        self.bus = bus
        self.surroundings = surroundings
    }

    func run(_ seen: Seen, _ client: HouseholdClient) async throws {
        let names = AccountNames(seen.accounts)
        var asked = RuleFollow.Request(household: seen.household, members: seen.accounts.map(\.here))
        var aside: [Problem] = []
        for _ in 0..<Self.roundsMax {
            try Task.checkCancellation()
            let own = try await bus.call(RuleFollow.self, asked)
            for problem in own.aside where !aside.contains(problem) {
                surroundings.log.problem("rule_put_aside", problem)
                aside.append(problem)
            }
            for notice in own.notices {
                do {
                    _ = try await bus.call(NotifyPost.self, notice)
                } catch {
                    surroundings.log.problem("notice_lost", Problem(error))
                }
            }
            let request = HouseholdRules.Request(
                members: seen.accounts.map(\.member),
                changes: own.changes.compactMap { names.sent($0, \.member) },
                known: own.known.compactMap { names.sent($0, \.member) },
                children: seen.children
            )
            let reply = try await client.call(HouseholdRules.self, request)
            guard !reply.rules.isEmpty || !reply.refused.isEmpty else { return }
            asked.told = own.changes
            asked.heard = reply.rules.compactMap { names.heard($0, \.member) }
            asked.refused = reply.refused.compactMap { names.heard($0, \.member) }
        }
        throw Problem(
            "household.rules_unsettled",
            "The household and this machine have not come to the same rules. It is tried again.",
            retryable: true
        )
    }
}

/// Names people as this machine does, or as the household does.
struct AccountNames {
    private let there: [String: String]
    private let here: [String: String]

    init(_ accounts: [HouseholdAccount]) {
        there = Dictionary(accounts.map { ($0.here, $0.member) }) { first, _ in first }
        here = Dictionary(accounts.map { ($0.member, $0.here) }) { first, _ in first }
    }

    /// Nil where the household does not know the person.
    func sent<Value>(_ value: Value, _ member: WritableKeyPath<Value, String>) -> Value? {
        Self.named(value, member, there)
    }

    /// Nil where this machine does not know the person.
    func heard<Value>(_ value: Value, _ member: WritableKeyPath<Value, String>) -> Value? {
        Self.named(value, member, here)
    }

    private static func named<Value>(
        _ value: Value,
        _ member: WritableKeyPath<Value, String>,
        _ names: [String: String]
    ) -> Value? {
        guard let name = names[value[keyPath: member]] else { return nil }
        var named = value
        named[keyPath: member] = name
        return named
    }
}
