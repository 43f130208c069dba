package import DeviceActivity

extension DeviceActivityName {
    /// All tasks are events of this one activity, from midnight to midnight.
    package static let day = Self("day")
}
