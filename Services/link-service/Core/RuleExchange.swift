package import STContracts
package import STPlatform

/// The rounds in which this machine and the household exchange changes of rules and settings, until both have the same.
package struct RuleExchange: Sendable {
    /// The rules and settings that one service of this machine stores.
    package enum Part: CaseIterable, Sendable {
        case rules, requests, categories

        fileprivate init(_ member: String, _ id: String) {
            self =
                member == HouseholdRule.everyone
                ? .categories : id == HouseholdRule.requests ? .requests : .rules
        }
    }

    package static let roundsMax = 50

    package let parts: [Part]
    /// The request of the current round.
    package private(set) var request: HouseholdRules.Request
    private let names: AccountNames
    /// The next request to the service of each part.
    private var pendingRequests: [Part: RuleFollow.Request] = [:]
    private var reported: [Problem] = []

    package init(_ input: ExchangeInput) {
        // A machine that shares no apps does not share their categories either.
        parts = Part.allCases.filter { input.share != .time || $0 != .categories }
        names = AccountNames(input.accounts)
        let everyone = [HouseholdRule.everyone]
        request = HouseholdRules.Request(
            members: input.accounts.map(\.member) + (parts.contains(.categories) ? everyone : []),
            changes: [],
            known: [],
            children: input.children
        )
        for part in parts {
            pendingRequests[part] = RuleFollow.Request(
                household: input.household,
                members: part == .categories ? everyone : input.accounts.map(\.here),
                share: input.share
            )
        }
    }

    package mutating func beginRound() { (request.changes, request.known) = ([], []) }

    package func followRequest(to part: Part) -> RuleFollow.Request? { pendingRequests[part] }

    /// Adds the reply of a part's service to the request. Returns problems that were not reported before.
    package mutating func add(_ own: RuleFollow.Reply, of part: Part) -> [Problem] {
        // The next round sends changes that exceed the limit.
        let sent = own.changes.filter { part == Part($0.member, $0.id) }.prefix(
            HouseholdRules.changesMax - request.changes.count
        )
        pendingRequests[part]?.told = Array(sent)
        request.changes += sent.compactMap { names.sent($0, \.member) }
        request.known += own.known.filter { part == Part($0.member, $0.id) }.compactMap {
            names.sent($0, \.member)
        }
        var new: [Problem] = []
        for problem in own.aside where !reported.contains(problem) {
            new.append(problem)
            reported.append(problem)
        }
        return new
    }

    /// Prepares the next round. Returns false if none is needed.
    package mutating func needsRound(after reply: HouseholdRules.Reply) -> Bool {
        guard !reply.rules.isEmpty || !reply.refused.isEmpty else { return false }
        let received = reply.rules.compactMap { names.received($0, \.member) }
        let refused = reply.refused.compactMap { names.received($0, \.member) }
        for part in parts {
            pendingRequests[part]?.heard = received.filter { part == Part($0.member, $0.id) }
            pendingRequests[part]?.refused = refused.filter { part == Part($0.member, $0.id) }
        }
        return true
    }

    package static let unsettled = Problem(
        "household.rules_unsettled",
        "The household and this machine do not have the same rules yet. Screen Time tries again.",
        retryable: true
    )
}
