import STContracts
import STDomain
import STPlatform

/// What may not be a store, and why.
enum SettingsCheck {
    static func name(_ text: String, _ field: String, max: Int = SettingLimits.nameBytesMax) throws {
        let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard !text.isEmpty, text.utf8.count <= max, isPlain else {
            throw Problem(
                "settings.bad_name",
                "A name has 1 to \(max) bytes and no control characters.",
                field: field
            )
        }
    }

    static func room(for name: StoreName, in state: ShieldState) throws {
        guard state.stores[name] == nil else { return }
        let max = SettingLimits.stores(of: name.app)
        let count = state.stores.keys.count { $0.app == name.app && $0.member == name.member }
        guard count < max else {
            throw Problem(
                "settings.too_many_stores",
                "\(name.app) has \(max) stores for \(name.member) already, which is the limit. "
                    + "Use one of them, or delete one.",
                field: "/store",
                details: ["limit": String(max)]
            )
        }
        guard state.stores.count < SettingLimits.storesMax else {
            throw Problem(
                "settings.too_many_stores",
                "There are \(SettingLimits.storesMax) stores of all apps already, which is the limit.",
                field: "/store"
            )
        }
    }

    /// The bytes of a store as the app set it, as it is told to others, and what is in all the other stores.
    static func size(of store: NamedStore, besides others: Int) throws {
        let size = store.size
        guard size.settings <= SettingLimits.storeBytesMax, size.told <= SettingLimits.toldBytesMax else {
            throw Problem(
                "settings.too_large",
                "This store would be larger than \(TextFormat.bytes(Int64(SettingLimits.toldBytesMax))). "
                    + "Name less in it, or use a second store.",
                field: "/settings"
            )
        }
        guard others + size.all <= SettingLimits.allBytesMax else {
            throw Problem(
                "settings.full",
                "All stores of all apps hold \(TextFormat.bytes(Int64(SettingLimits.allBytesMax))) already, which is "
                    + "the limit. Delete stores that are not needed.",
                field: "/settings",
                help: "screentime store list"
            )
        }
    }
}
