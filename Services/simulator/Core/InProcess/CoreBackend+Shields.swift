import STContracts
import STEngine
import STMonitorCore
import STPlatform
import STShieldCore

/// What monitor-runner's process does so that shield-service has what the rules want of it.
extension CoreBackend {
    /// Whether there was anything to do.
    func keepShields() throws -> Bool {
        var hasKept = false
        while true {
            let next = try step("rule.shield.next", of: try cores().monitor) {
                try RuleShielding.next($0, nowMs: $1.now.wallMs, $2.database)
            }
            if !next.isNeeded, !next.mustCheck {
                monitor.shieldMs = next.nextWallMs
                return hasKept
            }
            if next.mustCheck {
                monitor.isCompared = false
                _ = try watchRules()
            } else if !monitor.areShieldsCompared {
                let actual = try actualShields(asOf: next.answers)
                _ = try stepMonitor("rule.shield.compare") { try RuleShielding.compare(actual, &$0, $2) }
                monitor.areShieldsCompared = true
            } else if next.mustSettle {
                try stepMonitor("rule.shield.settle") { try RuleShielding.settle(&$0, $2) }
            } else if let wanted = next.ask {
                _ = try make(try OutgoingRequest(wanted), cause: wanted.cause)
            } else {
                monitor.shieldMs = next.nextWallMs
                return hasKept
            }
            hasKept = true
        }
    }

    /// What could not be asked, but may be later; a refusal for good stands beside the rule.
    func make(_ request: OutgoingRequest, cause: String?) throws -> Problem? {
        do {
            _ = try ask(request.route, request.body, key: request.key, cause: cause)
            try answered(request, nil)
            return nil
        } catch let problem as Problem {
            guard request.key != nil, !problem.retryable else { return problem }
            try answered(request, problem)
            return nil
        }
    }

    private func answered(_ request: OutgoingRequest, _ problem: Problem?) throws {
        guard let key = request.key else { return }
        try stepMonitor("rule.shield.done") { try RuleShielding.answered(key: key, problem, &$0, $2) }
    }

    private func actualShields(asOf answers: Int64) throws -> ActualShields {
        var request = SettingsList.Request(app: BuiltInRules.app)
        var stores: [SettingsGet.Reply] = []
        repeat {
            let page = try ask(SettingsList.self, request)
            for view in page.stores {
                let get = SettingsGet.Request(app: view.app, member: view.member, store: view.store)
                stores.append(try ask(SettingsGet.self, get))
            }
            request.next = page.next
        } while request.next != nil
        let allowed = try ask(MemberList.self, Empty()).members.map {
            try ask(ShieldAllowed.self, .init(member: $0.name))
        }
        return ActualShields(stores: stores, allowed: allowed, answers: answers)
    }

    // MARK: - Requests for more time

    /// Begins and ends the grants whose moment has come; whether there was any.
    func turnRequests() throws -> Bool {
        guard try requestsDue().isReached(at: time.now()) else { return false }
        try step("request.advance", of: try cores().shield) { try RequestHandlers.advance(&$0, $1, $2) }
        return true
    }

    /// When the next grant begins or ends.
    func requestsDue() throws -> DueMoments {
        let shield = try cores().shield
        return RequestHandlers.due(shield.state, shield.context(named: "request.due"))
    }
}
