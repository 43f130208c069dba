package import DeviceActivity

extension DeviceActivityName {
    /// The one activity of this app: every day.
    package static let daily = Self("daily")
}

extension DeviceActivityEvent.Name {
    /// The day's allowance is used up.
    package static let allowance = Self("allowance")
}
