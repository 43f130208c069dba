import STContracts
import STEngine
import STPlatform
import STStore

/// The steps in which the rules' shields are kept as they should be.
enum RuleShielding {
    static let steps: [ServiceRoute<MonitorState>] = [
        .query(RuleShieldNext.self) { state, _, context, database in
            try next(state.rules, nowMs: context.now.wallMs, database)
        },
        .write(RuleShieldSettle.self) { state, _, _, change in
            try RuleService.changing(&state, change) { $0.settleShields(nowMs: change.now.wallMs) }
            return Empty()
        },
        .write(RuleShieldDone.self) { state, request, _, change in
            try RuleService.changing(&state, change) {
                $0.shieldAnswered(
                    key: request.key,
                    problem: request.problem,
                    nowMs: change.now.wallMs
                )
            }
            return Empty()
        },
        .write(RuleShieldCompare.self) { state, request, _, change in
            // A store that was changed while all were read may have been read before: it would be asked for once more.
            guard request.answers == state.rules.shields.answers else { return .init(isTaken: false) }
            try RuleService.changing(&state, change) {
                $0.shields.compare(stores: request.stores, allowed: request.allowed)
                if let doubts = request.doubts { $0.shields.settledDoubts = doubts }
            }
            return .init(isTaken: true)
        },
    ]

    private static func next(_ book: RuleBook, nowMs: Int64, _ database: Database) throws
        -> RuleShieldNext.Reply
    {
        var settled = book
        settled.settleShields(nowMs: nowMs)
        // What a callback under way asks is left to it: whoever follows the causes finds it there.
        let ask = try book.openShields(nowMs: nowMs).first { try !isUnderWay($0.cause, database) }
        return RuleShieldNext.Reply(
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

    private static func isUnderWay(_ cause: String?, _ database: Database) throws -> Bool {
        guard let cause, let number = try DeliveryStore.find(id: cause, database) else { return false }
        return try DeliveryStore.find(number, database)?.1.isOpen ?? false
    }
}
