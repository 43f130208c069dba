import STContracts
package import STEngine

/// The service through which the machines of one household communicate.
package enum HouseholdService {
    package static func definition(_ stores: HouseholdStores = .init("")) -> ServiceDefinition<HouseholdState>
    {
        ServiceDefinition(
            name: .household,
            migrations: HouseholdTables.migrations,
            upgrade: stores.move,
            load: stores.load,
            begin: { state, change in try HouseholdSteps.begin(&state, change) },
            save: { state, database in try stores.of(database).save(&state) },
            routes: HouseholdRoutes(stores: stores).all + MachineRoutes(stores: stores).all,
            subscriptions: HouseholdFollowing.subscriptions,
            figures: { state in
                [
                    "devices": Int64(state.activeDevices.count),
                    "rows": state.devices.reduce(0) { $0 + $1.rows },
                    "guests": Int64(state.pendingMachines.count),
                ]
            }
        )
    }
}
