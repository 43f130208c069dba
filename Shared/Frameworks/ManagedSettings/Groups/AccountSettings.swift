/// Whether accounts may be changed.
///
/// A part of a store: what is nil is not set by it.
public struct AccountSettings: ManagedSettingsGroup, Sendable {
    /// What holds where nobody sets `lockAccounts`.
    public static let lockAccounts = SettingMetadata<Bool>(defaultValue: false)

    var fields: SettingFields

    /// Whether accounts may not be added, removed or changed.
    public var lockAccounts: Bool? {
        get { fields["account.lockAccounts"] }
        set { fields["account.lockAccounts"] = newValue }
    }
}

extension AccountSettings: StoredGroup {
    static let prefix = "account."
}
