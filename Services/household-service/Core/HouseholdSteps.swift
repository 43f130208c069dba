import STContracts
package import STEngine
import STPlatform

/// Transactions that household-service starts without a request on the bus: when time has passed, for a
/// phone, or after another service has changed the household.
package struct HouseholdSteps: Sendable {
    package typealias Step = OwnStep<HouseholdState>.Change<Void>

    private let stores: HouseholdStores

    package init(_ stores: HouseholdStores) { self.stores = stores }

    static func begin(_ state: inout HouseholdState, _ change: StoreTransaction) throws {
        // Machines may have received row numbers that are higher than those in this copy of the database.
        if state.isRestored, var own = state.own {
            own.places = Identifier.make(wallMs: change.now.wallMs)
            try HouseholdTables.save(own, change.database)
            state.own = own
        }
        state.lastNews = change.now.wallMs
    }

    package var refresh: Step { { [stores] state, _, change in try stores.refresh(&state, change) } }

    package var removeOldLetters: Step { { $0.removeOldLetters(wallMs: $2.now.wallMs) } }

    package var endLessons: Step { ready { state, now in try Lessons.endOld(&state, now) } }

    package func hasOldUsage(_ state: HouseholdState, nowMs: Int64) -> Bool {
        stores.firstDay(nowMs).map { $0 != state.firstDay } ?? false
    }

    /// Deletes a part of the usage that is older than `keep_days`.
    package var forgetOld: Step {
        { [stores] state, _, change in
            guard let day = stores.firstDay(change.now.wallMs) else { return }
            let gone = try stores.of(change.database).forget(before: day)
            for (device, rows) in gone { state.count(-rows, of: device) }
            let rows = gone.values.reduce(0, +)
            if rows < HouseholdStores.forgottenMax { state.firstDay = day }
            guard rows > 0 else { return }
            try change.scrubAfterCommit()
            let date = CivilDate(daysSinceEpoch: Int(day)).text
            try change.remember(
                HistoryLine(
                    .forgotten,
                    before: Message(
                        "history-rows.before-day",
                        count: Int(clamping: rows),
                        one: "\(rows, "count") row of the household from before \(date, "date")",
                        other: "\(rows, "count") rows of the household from before \(date, "date")"
                    ),
                    why: Message("history-why.keep-days", "keep_days = \(stores.keepDays, "count")")
                )
            )
        }
    }

    /// Records that the hook has received a message.
    package static func noteTold(_ key: String) -> Step {
        { state, _, change in
            let nowMs = change.now.wallMs
            for (old, untilMs) in state.told where untilMs < nowMs || untilMs > nowMs + 2 * Hooks.keptMs {
                state.told[old] = nil
                try HouseholdTables.remove(told: old, change.database)
            }
            state.told[key] = nowMs + Hooks.keptMs
            try HouseholdTables.save(told: key, untilMs: nowMs + Hooks.keptMs, change.database)
        }
    }

    // MARK: - Phones

    package func pair(_ pairing: PhonePairing, token: [UInt8]) -> Step {
        ready { state, now in try Phones.pair(pairing, token: token, &state, now) }
    }

    package func setClass(_ pupils: [String], of phone: HouseholdState.Device) -> Step {
        ready { state, _ in try Lessons.take(pupils, of: phone, &state) }
    }

    package func perform(_ deed: PhoneDeed, token: [UInt8]) -> Step {
        ready { state, now in
            try deed.perform(from: try Phones.phone(token: token, state), &state, now)
        }
    }

    private func ready(
        _ work: @escaping @Sendable (inout HouseholdState, TimeReading) throws -> Void
    ) -> Step {
        { [stores] state, _, change in
            try stores.ready(&state, change)
            try work(&state, change.now)
        }
    }
}
