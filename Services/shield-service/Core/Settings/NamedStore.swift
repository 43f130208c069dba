package import STContracts
package import STDomain

/// One store: what the app set in it, and what that means.
package struct NamedStore: Sendable, Equatable {
    /// Counts its changes.
    package var version: Int64 = 0
    /// As the app set them, tokens and all.
    package var settings: [String: JSONValue] = [:]
    /// The same by canonical names.
    package var values: [SettingKey: SettingValue] = [:]
    /// Of the permission under which it was set.
    package var generation: Int64 = 0
    /// The store's own switch.
    package var isActive = true
    package var isInForce = false
    package var reason: String?
    package var changedWallMs: Int64 = 0

    package init() {}

    package var shields: StoreShields { StoreShields(values) }
}
