package import STContracts
package import STEngine
package import STPlatform
package import STStore

/// One request to shield-service for a rule.
package struct RuleShieldAsk: Sendable, Equatable {
    package var set: SettingsSet.Request?
    package var clear: StoreAddress?
    package var delete: SettingsDelete.Request?
    package var allow: ShieldAllowedSet.Request?
    package var key: String
    /// The delivery or request that led to it.
    package var cause: String?

    init(_ place: ShieldBook.Place, _ asked: ShieldBook.Asked) {
        key = asked.key
        cause = asked.cause
        switch (place, asked.want) {
        case (.allowed(let member), .items(let items)): allow = .init(member: member, items: items)
        case (.store(let member, let rule), .settings(let settings)):
            var all = settings
            // The same change removes what the store had before.
            for name in ShieldWant.names where all[name] == nil { all[name] = .null }
            // Another program may have switched the store off.
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

/// A request of a rule to another service.
package struct OutgoingRequest: Sendable, Equatable {
    package var route: String
    package var body: [UInt8]
    /// A key of its own where another step may send the same request; else the delivery and its place in it make one.
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

/// What to do next so that shield-service has what the rules want.
package struct RuleShieldStep: Sendable, Equatable {
    /// The next store or list to ask for.
    package var ask: RuleShieldAsk?
    /// Something has changed with time, such as the end of a pause, and must be recorded first.
    package var mustSettle: Bool
    /// A stretch should have ended: activity-center must be asked.
    package var mustCheck: Bool
    /// The count of changes that no rule asked for; nil when all of them are settled.
    package var doubts: Int64?
    /// How many answers of shield-service have arrived.
    package var answers: Int64
    /// Whether shield-service has, or should have, anything for the rules.
    package var isNeeded: Bool
    package var nextWallMs: Int64?
}

/// What shield-service has for the rules.
package struct ActualShields: Sendable {
    package var stores: [SettingsGet.Reply]
    package var allowed: [ShieldAllowedSet.Reply]
    /// The counts before the reading.
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

/// What monitor-runner does by itself to keep the rules' shields right.
package enum RuleShieldSteps {
    package static func next(_ state: MonitorState, nowMs: Int64, _ database: Database) throws
        -> RuleShieldStep
    {
        let book = state.rules
        var settled = book
        settled.settleShields(nowMs: nowMs)
        // A callback under way makes its own requests, so that `explain` shows them with their cause.
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

    /// Records what shield-service must be asked for now.
    package static func settle(_ state: inout MonitorState, _ change: StoreTransaction) throws {
        try state.changeRules(change) { $0.settleShields(nowMs: change.now.wallMs) }
    }

    /// `problem`: why shield-service refused it.
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

    /// Compares what shield-service has with what the rules want.
    ///
    /// False when an answer arrived during the reading: the stores read may be outdated, so read them again.
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
