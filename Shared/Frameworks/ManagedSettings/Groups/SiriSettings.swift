/// Whether the assistant may be used.
///
/// A part of a store: what is nil is not set by it.
public struct SiriSettings: ManagedSettingsGroup, Sendable {
    /// What holds where nobody sets `denySiri`.
    public static let denySiri = SettingMetadata<Bool>(defaultValue: false)

    var fields: SettingFields

    /// Whether the assistant may not be used.
    public var denySiri: Bool? {
        get { fields["siri.denySiri"] }
        set { fields["siri.denySiri"] = newValue }
    }
}

extension SiriSettings: StoredGroup {
    static let prefix = "siri."
}
