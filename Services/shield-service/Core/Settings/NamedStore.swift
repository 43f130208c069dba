package import STContracts
package import STDomain
import STPlatform

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

    /// Its bytes.
    package struct Size: Sendable, Equatable {
        package var settings = 0
        package var told = 0

        package var all: Int { settings + told }
    }

    /// Measured when it is set, and when it is read from the disk.
    package private(set) var size = Size()

    /// How large it is, as the app set it and as the values in it are told.
    mutating func measure() {
        let body = PolicyStore(
            policy: .max,
            app: "",
            member: "",
            store: "",
            version: .max,
            isInForce: true,
            reason: nil,
            shields: StoreShieldsBody(shields),
            settings: SettingWire.canonical(values.filter { !StoreShields.keys.contains($0.key) }),
            wallMs: .max,
            cause: nil
        )
        size = Size(
            settings: JSONValue.object(settings).text.count,
            told: (try? body.encodedBody().count) ?? BusLimits.eventBodyBytes
        )
    }
}
