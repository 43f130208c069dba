import DeviceActivity
import ManagedSettings
import UserNotifications

class QuietMonitor: DeviceActivityMonitor {
    override func intervalWillStartWarning(for activity: DeviceActivityName) {
        super.intervalWillStartWarning(for: activity)
        let content = UNMutableNotificationContent()
        content.title = "Quiet soon"
        content.body = activity == .evening ? "The evening is yours." : activity.rawValue
        UNUserNotificationCenter.current().add(.init(identifier: "soon", content: content, trigger: nil))
    }

    override func intervalDidStart(for activity: DeviceActivityName) {
        ManagedSettingsStore(named: .init("quiet")).shield.applicationCategories = .all()
    }

    override func intervalDidEnd(for activity: DeviceActivityName) {
        ManagedSettingsStore(named: .init("quiet")).clearAllSettings()
    }
}
