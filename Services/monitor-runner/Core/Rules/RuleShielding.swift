import STContracts
package import STEngine
package import STPlatform
package import STStore

/// The steps that keep the shields of the rules as they should be.
package enum RuleShielding {
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
        try RuleService.changing(&state, change) { $0.settleShields(nowMs: change.now.wallMs) }
    }

    /// `problem`: why shield-service refused it for good.
    package static func answered(
        key: String,
        _ problem: Problem? = nil,
        _ state: inout MonitorState,
        _ change: StoreTransaction
    ) throws {
        try RuleService.changing(&state, change) {
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
        try RuleService.changing(&state, change) {
            $0.shields.compare(stores: actual.stores, allowed: actual.allowed)
            if let doubts = actual.doubts { $0.shields.settledDoubts = doubts }
        }
        return true
    }

    private static func isUnderWay(_ cause: String?, _ database: Database) throws -> Bool {
        guard let cause, let number = try DeliveryStore.find(id: cause, database) else { return false }
        return try DeliveryStore.find(number, database)?.1.isOpen ?? false
    }
}
