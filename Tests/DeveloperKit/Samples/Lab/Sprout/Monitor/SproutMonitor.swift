import DeviceActivity
import ManagedSettings

final class SproutMonitor: DeviceActivityMonitor {
    private let store = ManagedSettingsStore(named: .init("sprout"))

    override func intervalDidStart(for activity: DeviceActivityName) {
        store.shield.applicationCategories = .all()
    }

    override func intervalDidEnd(for activity: DeviceActivityName) { store.clearAllSettings() }
}
