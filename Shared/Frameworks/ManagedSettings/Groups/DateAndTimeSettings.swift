/// How the clock is set.
///
/// A part of a store: what is nil is not set by it.
public struct DateAndTimeSettings: ManagedSettingsGroup, Sendable {
    /// What holds where nobody sets `requireAutomaticDateAndTime`.
    public static let requireAutomaticDateAndTime = SettingMetadata<Bool>(defaultValue: false)

    var fields: SettingFields

    /// Whether the clock must set itself.
    public var requireAutomaticDateAndTime: Bool? {
        get { fields["dateAndTime.requireAutomaticDateAndTime"] }
        set { fields["dateAndTime.requireAutomaticDateAndTime"] = newValue }
    }
}

extension DateAndTimeSettings: StoredGroup {
    static let prefix = "dateAndTime."
}
