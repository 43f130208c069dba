/// A part of the settings of a store.
public protocol ManagedSettingsGroup {}

/// A group whose settings are kept as they travel.
protocol StoredGroup: ManagedSettingsGroup {
    /// What the names of its settings begin with.
    static var prefix: String { get }
    var fields: SettingFields { get set }
    init(fields: SettingFields)
}
