import STContracts
package import STEngine
package import STPlatform

/// Transactions that household-service starts without a request on the bus: when time has passed, for a
/// phone, or after another service has changed the household.
package struct HouseholdSteps: Sendable {
    package typealias Step = InternalStep<HouseholdState>.Change<Void>

    private let stores: HouseholdStores

    package init(_ stores: HouseholdStores) { self.stores = stores }

    static func begin(_ state: inout HouseholdState, _ change: StoreTransaction) throws {
        // Machines may have received row numbers that are higher than those in this copy of the database.
        if state.isRestored, var own = state.identity {
            own.places = Identifier.make(wallMs: change.now.wallMs)
            try HouseholdTables.save(own, change.database)
            state.identity = own
        }
        state.lastNews = change.now.wallMs
    }

    package var refresh: Step { { [stores] state, _, change in try stores.refresh(&state, change) } }

    package var removeExpiredMessages: Step { { $0.removeExpiredMessages(at: $2.now.wall) } }

    package var endLessons: Step { updating { state, now in try Lessons.endExpired(&state, now) } }

    package func hasOldUsage(_ state: HouseholdState, at now: WallTime) -> Bool {
        stores.firstDay(now).map { $0 != state.firstDay } ?? false
    }

    /// Deletes a part of the usage that is older than `keep_days`.
    package var deleteOldUsage: Step {
        { [stores] state, _, change in
            guard let day = stores.firstDay(change.now.wall) else { return }
            let gone = try stores.of(change.database).deleteUsage(before: day)
            for (device, rows) in gone { state.addRows(-rows, of: device) }
            let rows = gone.values.reduce(0, +)
            if rows < HouseholdStores.forgottenMax { state.firstDay = day }
            guard rows > 0 else { return }
            try change.scrubAfterCommit()
            let date = CivilDate(daysSinceEpoch: Int(day)).text
            try change.recordHistory(
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
    package static func recordHookDelivery(_ key: String) -> Step {
        { state, _, change in
            let now = change.now.wall
            for (old, until) in state.hookDeliveries
            where until < now || until > now + Hooks.retention * 2 {
                state.hookDeliveries[old] = nil
                try HouseholdTables.remove(told: old, change.database)
            }
            state.hookDeliveries[key] = now + Hooks.retention
            try HouseholdTables.save(told: key, until: now + Hooks.retention, change.database)
        }
    }

    // MARK: - Phones

    package func pair(_ pairing: PhonePairing, token: [UInt8]) -> Step {
        updating { state, now in try Phones.pair(pairing, token: token, state: &state, now: now) }
    }

    package func setClass(_ pupils: [String], of phone: HouseholdState.Device) -> Step {
        updating { state, _ in try Lessons.setClass(pupils, of: phone, &state) }
    }

    package func perform(_ deed: PhoneAction, token: [UInt8]) -> Step {
        updating { state, now in
            try deed.perform(from: try Phones.phone(token: token, state), &state, now)
        }
    }

    private func updating(
        _ work: @escaping @Sendable (inout HouseholdState, TimeReading) throws -> Void
    ) -> Step {
        { [stores] state, _, change in
            try stores.prepareChange(&state, change)
            try work(&state, change.now)
        }
    }
}
