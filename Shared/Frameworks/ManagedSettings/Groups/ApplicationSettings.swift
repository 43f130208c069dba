/// Which apps there are, and whether that may change.
///
/// A part of a store: what is nil is not set by it.
public struct ApplicationSettings: ManagedSettingsGroup, Sendable {
    /// What holds where nobody sets `blockedApplications`.
    public static let blockedApplications = SettingMetadata<Set<Application>>(defaultValue: [])

    /// What holds where nobody sets `denyAppInstallation`.
    public static let denyAppInstallation = SettingMetadata<Bool>(defaultValue: false)

    /// What holds where nobody sets `denyAppRemoval`.
    public static let denyAppRemoval = SettingMetadata<Bool>(defaultValue: false)

    var fields: SettingFields

    /// Apps that are hidden and may not start; at most fifty.
    public var blockedApplications: Set<Application>? {
        get { fields["application.blockedApplications"] }
        set { fields["application.blockedApplications"] = newValue }
    }

    /// Whether no app may be installed.
    public var denyAppInstallation: Bool? {
        get { fields["application.denyAppInstallation"] }
        set { fields["application.denyAppInstallation"] = newValue }
    }

    /// Whether no app may be removed.
    public var denyAppRemoval: Bool? {
        get { fields["application.denyAppRemoval"] }
        set { fields["application.denyAppRemoval"] = newValue }
    }
}

extension ApplicationSettings: StoredGroup {
    static let prefix = "application."
}
