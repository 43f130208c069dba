import DeviceActivity
import ManagedSettings

class EmberMonitor: DeviceActivityMonitor {
    let store = ManagedSettingsStore(named: .init("ember"))

    override func intervalDidStart(for activity: DeviceActivityName) {
        Coals.count = 0
        store.shield.applicationCategories = .all()
    }

    override func intervalDidEnd(for activity: DeviceActivityName) { store.clearAllSettings() }
}
