package import STContracts
package import STEngine
package import STPlatform
package import STStore

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

/// Something that a built-in rule asks of a service.
package struct OutgoingRequest: Sendable, Equatable {
    package var route: String
    package var body: [UInt8]
    /// Of its own, where others may come to ask the same; else made from the delivery and its place in it.
    package var key: String?

    package init(route: String, body: [UInt8]) {
        self.route = route
        self.body = body
    }

    package init<R: Route>(_ route: R.Type, _ request: R.Request) throws {
        self.init(route: R.name, body: try request.encodedBody())
    }

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

/// The steps that keep the shields of the rules as they should be.
package enum RuleShieldSteps {
    package static func next(_ state: MonitorState, nowMs: Int64, _ database: Database) throws
        -> RuleShieldStep
    {
        let book = state.rules
        var settled = book
        settled.settleShields(nowMs: nowMs)
        // What a callback under way asks is left to it: whoever follows the causes finds it there.
        let ask = try book.openShields(nowMs: nowMs).first { try !isUnderWay($0.cause, database) }
        return RuleShieldStep(
            ask: ask,
            mustSettle: settled.shields != book.shields,
            mustCheck: book.nextCheckMs.map { $0 <= nowMs } ?? false,
            doubts: book.shields.isDoubtful ? book.shields.doubts : nil,
            answers: book.shields.answers,
            isNeeded: !settled.shields.asked.isEmpty,
            nextWallMs: [
                book.nextShieldMs(afterMs: nowMs), book.nextCheckMs, book.nextAgainMs(afterMs: nowMs),
            ].compactMap(\.self).min()
        )
    }

    /// Notes down what shield-service must be asked for at this moment.
    package static func settle(_ state: inout MonitorState, _ change: StoreTransaction) throws {
        try state.changeRules(change) { $0.settleShields(nowMs: change.now.wallMs) }
    }

    /// `problem`: why shield-service refused it for good.
    package static func answered(
        key: String,
        _ problem: Problem? = nil,
        _ state: inout MonitorState,
        _ change: StoreTransaction
    ) throws {
        try state.changeRules(change) {
            $0.shieldAnswered(key: key, problem: problem, nowMs: change.now.wallMs)
        }
    }

    /// Compares what shield-service has of the rules with what it should have.
    ///
    /// False when an answer came meanwhile: a store that was changed while all were read may have been read before, and would
    /// be asked for once more. Then all has to be read again.
    package static func compare(
        _ actual: ActualShields,
        _ state: inout MonitorState,
        _ change: StoreTransaction
    ) throws
        -> Bool
    {
        guard actual.answers == state.rules.shields.answers else { return false }
        try state.changeRules(change) {
            $0.shields.compare(stores: actual.stores, allowed: actual.allowed)
            if let doubts = actual.doubts { $0.shields.settledDoubts = doubts }
        }
        return true
    }

    private static func isUnderWay(_ cause: String?, _ database: Database) throws -> Bool {
        guard let cause, let number = try DeliveryTables.find(id: cause, database) else { return false }
        return try DeliveryTables.find(number, database)?.1.isOpen ?? false
    }
}
