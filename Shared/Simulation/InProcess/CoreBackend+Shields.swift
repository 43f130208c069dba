import STContracts
import STMonitorCore
import STPlatform

/// What monitor-runner's process asks of shield-service for its rules.
extension CoreBackend {
    /// Whether there was anything to do.
    func keepShields() throws -> Bool {
        var hasKept = false
        while true {
            let next = try ask(RuleShieldNext.self, Empty())
            if next.mustCheck {
                let actual = try ask(ActivityList.self, .init(app: BuiltInRules.app)).activities
                _ = try ask(RuleWatchCompare.self, .init(actual: actual))
            } else if next.mustSettle {
                _ = try ask(RuleShieldSettle.self, Empty())
            } else if let shield = next.ask {
                try make(shield)
            } else {
                monitor.shieldMs = next.nextWallMs
                return hasKept
            }
            hasKept = true
        }
    }

    func make(_ shield: RuleShieldAsk) throws {
        var done = RuleShieldDone.Request(key: shield.key)
        do {
            if let set = shield.set {
                _ = try ask(SettingsSet.self, set, key: shield.key, cause: shield.cause)
            } else if let clear = shield.clear {
                _ = try ask(SettingsClear.self, clear, key: shield.key, cause: shield.cause)
            } else if let delete = shield.delete {
                _ = try ask(SettingsDelete.self, delete, key: shield.key, cause: shield.cause)
            } else if let allow = shield.allow {
                _ = try ask(ShieldAllowedSet.self, allow, key: shield.key, cause: shield.cause)
            }
        } catch let problem as Problem where !problem.retryable {
            done.problem = problem
        }
        _ = try ask(RuleShieldDone.self, done)
    }
}
