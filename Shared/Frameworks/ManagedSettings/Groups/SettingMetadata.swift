/// What is known of a setting.
public struct SettingMetadata<Value> {
    /// What holds where nobody sets it.
    public let defaultValue: Value
}

/// What is known of a setting that has limits.
public struct BoundedSettingMetadata<Value: Comparable> {
    /// What holds where nobody sets it.
    public let defaultValue: Value

    /// What can be set.
    public let bounds: ClosedRange<Value>
}

extension SettingMetadata: Sendable where Value: Sendable {}
extension BoundedSettingMetadata: Sendable where Value: Sendable {}
