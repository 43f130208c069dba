import STBus
import STContracts
import STEngine
import STMonitorCore
import STPlatform
import STServiceKit
import STZeroMQ

/// What shield-service does for the rules.
extension RuleKeeper {
    /// Of the list of stores; there are fewer pages than that.
    private static let pagesMax = 50

    /// Brings what shield-service has to what the rules want of it, whatever was lost on the way.
    func keepShields() async throws {
        while !Task.isCancelled {
            let next = try await host.look("rule.shield.next") {
                try RuleShielding.next($0, nowMs: $1.now.wallMs, $2)
            }
            guard next.isNeeded || next.mustCheck || next.doubts != nil else {
                shieldMs = next.nextWallMs
                return
            }
            if next.mustCheck {
                isCompared = false
                try await watch()
            } else if !areShieldsCompared || next.doubts != nil {
                var actual = try await actualShields(asOf: next.answers)
                actual.doubts = next.doubts
                let isTaken = try await host.step("rule.shield.compare") { [actual] in
                    try RuleShielding.compare(actual, &$0, $2)
                }
                areShieldsCompared = areShieldsCompared || isTaken
            } else if next.mustSettle {
                try await host.step("rule.shield.settle") { try RuleShielding.settle(&$0, $2) }
            } else if let ask = next.ask {
                try await make(ask)
            } else {
                shieldMs = next.nextWallMs
                return
            }
        }
    }

    private func make(_ ask: RuleShieldAsk) async throws {
        let options = CallOptions(idempotencyKey: ask.key, cause: ask.cause)
        do {
            if let set = ask.set {
                _ = try await client.call(SettingsSet.self, set, options)
            } else if let clear = ask.clear {
                _ = try await client.call(SettingsClear.self, clear, options)
            } else if let delete = ask.delete {
                _ = try await client.call(SettingsDelete.self, delete, options)
            } else if let allow = ask.allow {
                _ = try await client.call(ShieldAllowedSet.self, allow, options)
            }
            try await note(ask, nil)
        } catch let problem as Problem where !problem.retryable {
            // It stands beside the rule until the rule is changed or the service starts anew.
            surroundings.log.problem("rule_not_shielded", problem, ["cause": .text(ask.cause ?? "")])
            try await note(ask, problem)
        }
    }

    private func note(_ ask: RuleShieldAsk, _ problem: Problem?) async throws {
        try await host.step("rule.shield.done") { try RuleShielding.answered(key: ask.key, problem, &$0, $2) }
    }

    private func actualShields(asOf answers: Int64) async throws -> ActualShields {
        var request = SettingsList.Request(app: BuiltInRules.app)
        var stores: [SettingsGet.Reply] = []
        for _ in 0..<Self.pagesMax {
            let page = try await client.call(SettingsList.self, request)
            for view in page.stores {
                let get = SettingsGet.Request(app: view.app, member: view.member, store: view.store)
                stores.append(try await client.call(SettingsGet.self, get))
            }
            guard let next = page.next else { break }
            request.next = next
        }
        var allowed: [ShieldAllowedSet.Reply] = []
        for member in try await client.call(MemberList.self, Empty()).members {
            allowed.append(try await client.call(ShieldAllowed.self, .init(member: member.name)))
        }
        return ActualShields(stores: stores, allowed: allowed, answers: answers)
    }
}
