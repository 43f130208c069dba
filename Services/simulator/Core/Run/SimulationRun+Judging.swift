import STContracts
import STDomain
import STPlatform

/// Expectations about what is shielded and what stores hold, at the moment they are looked at.
extension SimulationRun {
    /// What stands instead of what was expected; no text when all is as it should be.
    struct ShieldFinding {
        var text: String?
    }

    /// Nil for expectations about something else.
    func shieldFinding(_ expectation: ScenarioExpectation) async throws -> ShieldFinding? {
        switch expectation.kind {
        case .shielded(let shield, let isWanted):
            let (all, otherwise) = try await shielding(shield)
            let found = all.filter { shield.by == nil || $0 == shield.by }
            if found.isEmpty != isWanted { return ShieldFinding() }
            if isWanted, !all.isEmpty {
                return ShieldFinding(text: "it is shielded by \(all.joined(separator: ", "))")
            }
            return ShieldFinding(
                text: isWanted ? otherwise : "it is shielded by \(found.joined(separator: ", "))"
            )
        case .store(let store): return try await finding(store)
        case .callback, .notification, .used, .ledger, .shieldShown: return nil
        }
    }

    /// Who shields something, as people write it; and why nobody does.
    private func shielding(_ shield: ScenarioExpectation.Shield) async throws -> ([String], String) {
        let member = timeline.actual(shield.member ?? scenario.owner)
        if shield.item.kind == .category {
            let stores = policy.shielding(category: shield.item.id, of: member)
            return (stores.map { timeline.storeName($0.app, $0.store) }, "no store shields it")
        }
        let isSite = shield.item.kind == .domain
        let subject = ShieldSubject(
            app: isSite ? nil : shield.item.id,
            domain: isSite ? shield.item.id : shield.site
        )
        let reply = try await backend.call(ShieldDecide.self, .init(member: member, subject: subject))
        let names = reply.decision.causes.map { timeline.storeName($0.app, $0.store) }
        if reply.decision.isShielded { return (names, "") }
        if reply.decision.isAlwaysAllowed { return ([], "it is always allowed") }
        if reply.decision.grant != nil {
            return ([], "more time was granted for what \(names.joined(separator: ", ")) shields")
        }
        return ([], "no store shields it")
    }

    private func finding(_ store: ScenarioExpectation.Store) async throws -> ShieldFinding {
        let rule = store.app == nil ? timeline.ruleID(named: store.name) : nil
        guard let app = store.app ?? rule.map({ _ in BuiltInRules.app }) else {
            return ShieldFinding(text: "no rule is called \(store.name)")
        }
        let request = SettingsGet.Request(
            app: app,
            member: timeline.actual(store.member ?? scenario.owner),
            store: rule ?? store.name
        )
        let held = try await backend.call(SettingsGet.self, request).settings
        let looked = store.setting.map { name in held.filter { $0.key == name } } ?? held
        if looked.isEmpty == store.isEmpty { return ShieldFinding() }
        let names = held.keys.sorted().joined(separator: ", ")
        return ShieldFinding(text: names.isEmpty ? "it is empty" : "it holds \(names)")
    }
}
