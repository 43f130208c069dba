package import STContracts

/// The named stores of all apps.
package struct ShieldState: Sendable, Equatable {
    package struct Store: Sendable, Equatable {
        package var version: Int64
        package var settings: [String: JSONValue]
    }

    package var stores: [StoreAddress: Store] = [:]
    /// Counts every change of policy on this computer.
    package var policy: Int64 = 0
    package var requests = RequestBook()
}
