import STBus
import STContracts
import STPlatform
import STServiceKit
import STZeroMQ

/// Tells the household what changed in the rules and settings of its people, and takes what stands there, until both have the same.
struct RuleExchange {
    struct Seen: Equatable {
        /// The household, its numbers, and this machine's stay in it.
        var household: String
        var changes: Int
        var news: Int64
        var accounts: [HouseholdAccount]
        var children: [String]
        var share: LinkShare
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
        var parts = Part.allCases
        // A machine that tells no apps tells nothing of what it counts them as.
        if seen.share == .time { parts.removeAll { $0 == .categories } }
        var asked: [Part: RuleFollow.Request] = [:]
        for part in parts { asked[part] = part.first(seen) }
        var aside: [Problem] = []
        for _ in 0..<Self.roundsMax {
            try Task.checkCancellation()
            var request = HouseholdRules.Request(
                members: seen.accounts.map(\.member),
                changes: [],
                known: [],
                children: seen.children
            )
            if parts.contains(.categories) { request.members.append(HouseholdRule.everyone) }
            for part in parts {
                guard let follow = asked[part] else { continue }
                let own = try await self.own(part, follow)
                for problem in own.aside where !aside.contains(problem) {
                    surroundings.log.problem("rule_put_aside", problem)
                    aside.append(problem)
                }
                // The next round tells what finds no room.
                let told = own.changes.filter { part == Part($0.member, $0.id) }.prefix(
                    HouseholdRules.changesMax - request.changes.count
                )
                asked[part]?.told = Array(told)
                request.changes += told.compactMap { names.sent($0, \.member) }
                request.known += own.known.filter { part == Part($0.member, $0.id) }.compactMap {
                    names.sent($0, \.member)
                }
            }
            let reply = try await client.call(HouseholdRules.self, request)
            guard !reply.rules.isEmpty || !reply.refused.isEmpty else { return }
            let heard = reply.rules.compactMap { names.heard($0, \.member) }
            let refused = reply.refused.compactMap { names.heard($0, \.member) }
            for part in parts {
                asked[part]?.heard = heard.filter { part == Part($0.member, $0.id) }
                asked[part]?.refused = refused.filter { part == Part($0.member, $0.id) }
            }
        }
        throw Problem(
            "household.rules_unsettled",
            "The household and this machine have not come to the same rules. It is tried again.",
            retryable: true
        )
    }

    private func own(_ part: Part, _ request: RuleFollow.Request) async throws -> RuleFollow.Reply {
        switch part {
        case .requests: return try await bus.call(RequestRuleFollow.self, request)
        case .categories: return try await bus.call(CategoryFollow.self, request)
        case .rules:
            let own = try await bus.call(RuleFollow.self, request)
            for notice in own.notices {
                do {
                    _ = try await bus.call(NotifyPost.self, notice)
                } catch {
                    surroundings.log.problem("notice_lost", Problem(error))
                }
            }
            return own
        }
    }

    /// What each service of this machine keeps.
    private enum Part: CaseIterable {
        case rules, requests, categories

        init(_ member: String, _ id: String) {
            self =
                member == HouseholdRule.everyone
                ? .categories : id == HouseholdRule.requests ? .requests : .rules
        }

        func first(_ seen: Seen) -> RuleFollow.Request {
            RuleFollow.Request(
                household: seen.household,
                members: self == .categories ? [HouseholdRule.everyone] : seen.accounts.map(\.here),
                share: seen.share
            )
        }
    }
}

/// Names people as this machine does, or as the household does.
struct AccountNames {
    private let there: [String: String]
    private let here: [String: String]

    init(_ accounts: [HouseholdAccount]) {
        let everyone = HouseholdAccount(here: HouseholdRule.everyone, member: HouseholdRule.everyone)
        there = Dictionary((accounts + [everyone]).map { ($0.here, $0.member) }) { first, _ in first }
        here = Dictionary((accounts + [everyone]).map { ($0.member, $0.here) }) { first, _ in first }
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
