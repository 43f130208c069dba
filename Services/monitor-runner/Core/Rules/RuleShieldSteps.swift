package import STContracts
package import STPlatform

// Steps that the service takes by itself. Nobody may call them over the bus: they have no role at all.

/// One thing to ask of shield-service for the rules.
package struct RuleShieldAsk: WireBody, Codable, Equatable {
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

/// What is to be asked of shield-service next.
package enum RuleShieldNext: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        package var ask: RuleShieldAsk?
        /// A pause has ended, and what follows from it must be noted down first.
        package var mustSettle: Bool
        /// Something is shut that should have ended.
        package var mustCheck: Bool
        /// Something was changed that nobody here asked for; so often it has happened.
        package var doubts: Int64?
        /// So many answers of shield-service are known.
        package var answers: Int64
        /// Whether shield-service has, or should have, anything of the rules.
        package var isNeeded: Bool
        package var nextWallMs: Int64?
    }

    package static let name = "rule.shield.next"
    package static let kind = RouteKind.query
    package static let access: Access = []
    package static let summary = "The next store or list to ask of shield-service."
}

package enum RuleShieldSettle: Route {
    package typealias Request = Empty
    package typealias Reply = Empty

    package static let name = "rule.shield.settle"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Notes down what shield-service must be asked for at this moment."
}

package enum RuleShieldDone: Route {
    package struct Request: WireBody, Codable {
        package var key: String
        /// Why shield-service refused it for good.
        package var problem: Problem?

        package init(key: String, problem: Problem? = nil) {
            self.key = key
            self.problem = problem
        }
    }

    package typealias Reply = Empty

    package static let name = "rule.shield.done"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Writes down what shield-service answered."
}

package enum RuleShieldCompare: Route {
    package struct Request: WireBody, Codable {
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

    package struct Reply: WireBody, Codable, Equatable {
        /// False when an answer came meanwhile: then all has to be read once more.
        package var isTaken: Bool
    }

    package static let name = "rule.shield.compare"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Compares what shield-service has of the rules with what it should have."
}
