import STContracts
import STLinkCore
import STPlatform
import STServiceKit
import STZeroMQ

/// Sends the requests of `RuleExchange` and `RequestExchange` to the services of this machine and to the household.
struct HouseholdExchange {
    let bus: BusClient
    let log: Log

    func exchangeRules(_ input: ExchangeInput, _ client: HouseholdClient) async throws {
        var exchange = RuleExchange(input)
        for _ in 0..<RuleExchange.roundsMax {
            try Task.checkCancellation()
            exchange.beginRound()
            for part in exchange.parts {
                guard let question = exchange.followRequest(to: part) else { continue }
                let own = try await follow(part, question)
                for problem in exchange.add(own, of: part) { log.problem("rule_put_aside", problem) }
            }
            let reply = try await client.call(HouseholdRules.self, exchange.request)
            guard exchange.needsRound(after: reply) else { return }
        }
        throw RuleExchange.unsettled
    }

    private func follow(_ part: RuleExchange.Part, _ request: RuleFollow.Request) async throws
        -> RuleFollow.Reply
    {
        switch part {
        case .requests: return try await bus.call(RequestRuleFollow.self, request)
        case .categories: return try await bus.call(CategoryFollow.self, request)
        case .rules:
            let own = try await bus.call(RuleFollow.self, request)
            for notice in own.notices {
                do {
                    _ = try await bus.call(NotifyPost.self, notice)
                } catch {
                    log.problem("notice_lost", Problem(error))
                }
            }
            return own
        }
    }

    func exchangeRequests(_ input: ExchangeInput, _ client: HouseholdClient) async throws {
        var exchange = RequestExchange(input)
        for _ in 0..<RequestExchange.roundsMax {
            try Task.checkCancellation()
            let own = try await bus.call(RequestFollow.self, exchange.question)
            let reply = try await client.call(HouseholdRequests.self, exchange.request(after: own))
            if let why = reply.why { log.problem("request_left_out", why) }
            guard exchange.needsRound(after: reply) else { return }
        }
        throw RequestExchange.unsettled
    }
}
