/// Whom one may play with.
///
/// A part of a store: what is nil is not set by it.
public struct GameCenterSettings: ManagedSettingsGroup, Sendable {
    /// What holds where nobody sets `denyAddingFriends`.
    public static let denyAddingFriends = SettingMetadata<Bool>(defaultValue: false)

    /// What holds where nobody sets `denyMultiplayerGaming`.
    public static let denyMultiplayerGaming = SettingMetadata<Bool>(defaultValue: false)

    var fields: SettingFields

    /// Whether no friends may be added.
    public var denyAddingFriends: Bool? {
        get { fields["gameCenter.denyAddingFriends"] }
        set { fields["gameCenter.denyAddingFriends"] = newValue }
    }

    /// Whether nobody may be played with.
    public var denyMultiplayerGaming: Bool? {
        get { fields["gameCenter.denyMultiplayerGaming"] }
        set { fields["gameCenter.denyMultiplayerGaming"] = newValue }
    }
}

extension GameCenterSettings: StoredGroup {
    static let prefix = "gameCenter."
}
