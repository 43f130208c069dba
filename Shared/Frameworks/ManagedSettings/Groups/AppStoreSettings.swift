/// What may be installed and bought.
///
/// A part of a store: what is nil is not set by it.
public struct AppStoreSettings: ManagedSettingsGroup, Sendable {
    /// What holds where nobody sets `denyInAppPurchases`.
    public static let denyInAppPurchases = SettingMetadata<Bool>(defaultValue: false)

    /// What holds where nobody sets `maximumRating`, and what can be set.
    public static let maximumRating = BoundedSettingMetadata<Int>(defaultValue: 1000, bounds: 0...1000)

    /// What holds where nobody sets `requirePasswordForPurchases`.
    public static let requirePasswordForPurchases = SettingMetadata<Bool>(defaultValue: false)

    var fields: SettingFields

    /// Whether nothing may be bought within apps.
    public var denyInAppPurchases: Bool? {
        get { fields["appStore.denyInAppPurchases"] }
        set { fields["appStore.denyInAppPurchases"] = newValue }
    }

    /// The highest rating an app may have: 1000 is all, 600 17+, 300 12+, 200 9+, 100 4+, 0 none.
    public var maximumRating: Int? {
        get { fields["appStore.maximumRating"] }
        set { fields["appStore.maximumRating"] = newValue }
    }

    /// Whether each purchase needs the password.
    public var requirePasswordForPurchases: Bool? {
        get { fields["appStore.requirePasswordForPurchases"] }
        set { fields["appStore.requirePasswordForPurchases"] = newValue }
    }
}

extension AppStoreSettings: StoredGroup {
    static let prefix = "appStore."
}
