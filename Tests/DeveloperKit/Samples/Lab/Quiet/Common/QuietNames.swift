import DeviceActivity

extension DeviceActivityName {
    static let evening = Self("evening")
}
