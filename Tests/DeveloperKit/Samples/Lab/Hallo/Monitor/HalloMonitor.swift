import DeviceActivity
import ManagedSettings

final class HalloMonitor: DeviceActivityMonitor {
    override func intervalDidStart(for activity: DeviceActivityName) {
        ManagedSettingsStore().shield.applicationCategories = .all()
    }
}
