/// What may be changed about mobile data.
///
/// A part of a store: what is nil is not set by it.
public struct CellularSettings: ManagedSettingsGroup, Sendable {
    /// What holds where nobody sets `lockAppCellularData`.
    public static let lockAppCellularData = SettingMetadata<Bool>(defaultValue: false)

    /// What holds where nobody sets `lockCellularPlan`.
    public static let lockCellularPlan = SettingMetadata<Bool>(defaultValue: false)

    /// What holds where nobody sets `lockESIM`.
    public static let lockESIM = SettingMetadata<Bool>(defaultValue: false)

    var fields: SettingFields

    /// Whether it is fixed which apps may use mobile data.
    public var lockAppCellularData: Bool? {
        get { fields["cellular.lockAppCellularData"] }
        set { fields["cellular.lockAppCellularData"] = newValue }
    }

    /// Whether the plan is fixed.
    public var lockCellularPlan: Bool? {
        get { fields["cellular.lockCellularPlan"] }
        set { fields["cellular.lockCellularPlan"] = newValue }
    }

    /// Whether eSIMs may not be added or removed.
    public var lockESIM: Bool? {
        get { fields["cellular.lockESIM"] }
        set { fields["cellular.lockESIM"] = newValue }
    }
}

extension CellularSettings: StoredGroup {
    static let prefix = "cellular."
}
