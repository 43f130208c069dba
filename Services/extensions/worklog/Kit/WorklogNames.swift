package import DeviceActivity
package import ManagedSettings

extension ManagedSettingsStore.Name {
    package static let gaming = Self("gaming")
    package static let social = Self("social")
}

extension DeviceActivityName {
    /// Every day from midnight to midnight: the work of a day is counted in it.
    package static let workday = Self("workday")
    /// When social apps and sites are open.
    package static let evenings = Self("evenings")
}

extension DeviceActivityEvent.Name {
    /// The day's work is done.
    package static let work = Self("work")
}
