/// Whether the passcode may be changed.
///
/// A part of a store: what is nil is not set by it.
public struct PasscodeSettings: ManagedSettingsGroup, Sendable {
    /// What holds where nobody sets `lockPasscode`.
    public static let lockPasscode = SettingMetadata<Bool>(defaultValue: false)

    var fields: SettingFields

    /// Whether the passcode may not be set, changed or taken away.
    public var lockPasscode: Bool? {
        get { fields["passcode.lockPasscode"] }
        set { fields["passcode.lockPasscode"] = newValue }
    }
}

extension PasscodeSettings: StoredGroup {
    static let prefix = "passcode."
}
