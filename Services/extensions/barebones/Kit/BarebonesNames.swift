package import DeviceActivity
package import ManagedSettings

extension DeviceActivityName {
    package static let daily = Self("daily")
}

extension ManagedSettingsStore.Name {
    package static let daily = Self("daily")
}
