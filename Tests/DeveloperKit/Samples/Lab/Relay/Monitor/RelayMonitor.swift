import DeviceActivity
import ManagedSettings

final class RelayMonitor: DeviceActivityMonitor {
    private let store = ManagedSettingsStore(named: .init("relay"))

    override func intervalDidStart(for activity: DeviceActivityName) {
        Watchword.give("lantern")
        store.shield.applicationCategories = .all()
    }

    override func eventDidReachThreshold(_ event: DeviceActivityEvent.Name, activity: DeviceActivityName) {
        Watchword.give("harbour")
    }

    override func intervalDidEnd(for activity: DeviceActivityName) { store.clearAllSettings() }
}
