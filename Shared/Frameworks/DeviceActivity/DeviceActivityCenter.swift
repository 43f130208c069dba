/// Begins and ends the watching of activities.
public struct DeviceActivityCenter {
    /// The center of this app.
    public init() {}
}
