package import STContracts
import STPlatform

/// One thing to ask of shield-service for the rules.
package struct RuleShieldAsk: Sendable, Equatable {
    package var set: SettingsSet.Request?
    package var clear: StoreAddress?
    package var delete: SettingsDelete.Request?
    package var allow: ShieldAllowedSet.Request?
    package var key: String
    /// The delivery or the request that led to it.
    package var cause: String?

    init(_ place: ShieldBook.Place, _ asked: ShieldBook.Asked) {
        key = asked.key
        cause = asked.cause
        switch (place, asked.want) {
        case (.allowed(let member), .items(let items)): allow = .init(member: member, items: items)
        case (.store(let member, let rule), .settings(let settings)):
            var all = settings
            // What the store had before goes with the same change.
            for name in ShieldWant.names where all[name] == nil { all[name] = .null }
            // It may have been switched off meanwhile.
            all[ShieldWant.isActive] = .null
            set = .init(app: BuiltInRules.app, member: member, store: rule, settings: all)
        case (.store(let member, let rule), .gone):
            delete = .init(app: BuiltInRules.app, member: member, stores: [rule])
        case (.store(let member, let rule), _):
            clear = .init(app: BuiltInRules.app, member: member, store: rule)
        case (.allowed(let member), _): allow = .init(member: member, items: [])
        }
    }
}

extension OutgoingRequest {
    package init(_ ask: RuleShieldAsk) throws {
        if let set = ask.set {
            try self.init(SettingsSet.self, set)
        } else if let clear = ask.clear {
            try self.init(SettingsClear.self, clear)
        } else if let delete = ask.delete {
            try self.init(SettingsDelete.self, delete)
        } else {
            try self.init(ShieldAllowedSet.self, ask.allow ?? .init(items: []))
        }
        key = ask.key
    }
}

/// What there is to do so that shield-service has what the rules want.
package struct RuleShieldStep: Sendable, Equatable {
    /// The next store or list to ask of shield-service.
    package var ask: RuleShieldAsk?
    /// A pause has ended, and what follows from it must be noted down first.
    package var mustSettle: Bool
    /// Something is shut that should have ended.
    package var mustCheck: Bool
    /// So often something was changed that no rule asked for; nil when all of that is settled.
    package var doubts: Int64?
    /// So many answers of shield-service are known.
    package var answers: Int64
    /// Whether shield-service has, or should have, anything of the rules.
    package var isNeeded: Bool
    package var nextWallMs: Int64?
}

/// What shield-service has of the rules.
package struct ActualShields: Sendable {
    package var stores: [SettingsGet.Reply]
    package var allowed: [ShieldAllowedSet.Reply]
    /// As they were before it was read.
    package var doubts: Int64?
    package var answers: Int64

    package init(
        stores: [SettingsGet.Reply],
        allowed: [ShieldAllowedSet.Reply],
        doubts: Int64? = nil,
        answers: Int64
    ) {
        self.stores = stores
        self.allowed = allowed
        self.doubts = doubts
        self.answers = answers
    }
}
