import STContracts
import STHouseholdCore
import STPlatform
import STServiceKit
import Synchronization

@main
enum Main {
    /// The stores from the settings, for the service and its companion.
    private static let stores = Mutex(HouseholdStores(""))

    static func main() {
        ServiceProcess.main(.household) { host, surroundings in
            try await MachineServer(host, surroundings: surroundings, stores: stores.withLock { $0 }).run()
        } make: { configuration in
            let made = HouseholdStores(
                configuration.value(.householdStore),
                keepDays: Int64(configuration.value(.householdKeepDays)) ?? 0
            )
            stores.withLock { $0 = made }
            return HouseholdService.definition(made)
        }
    }
}
