import STBus
import STContracts
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
            let next = try await host.callSelf(RuleShieldNext.self, Empty())
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
                let isTaken = try await host.callSelf(RuleShieldCompare.self, actual).isTaken
                areShieldsCompared = areShieldsCompared || isTaken
            } else if next.mustSettle {
                _ = try await host.callSelf(RuleShieldSettle.self, Empty())
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
            _ = try await host.callSelf(RuleShieldDone.self, .init(key: ask.key))
        } catch let problem as Problem where !problem.retryable {
            // It stands beside the rule until the rule is changed or the service starts anew.
            surroundings.log.problem("rule_not_shielded", problem, ["cause": .text(ask.cause ?? "")])
            _ = try await host.callSelf(RuleShieldDone.self, .init(key: ask.key, problem: problem))
        }
    }

    private func actualShields(asOf answers: Int64) async throws -> RuleShieldCompare.Request {
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
        return RuleShieldCompare.Request(stores: stores, allowed: allowed, answers: answers)
    }
}
