import DeviceActivity
import Foundation
import ManagedSettings
import WidgetKit

final class BeaconMonitor: DeviceActivityMonitor {
    private let state = BeaconState()

    override func intervalDidStart(for activity: DeviceActivityName) {
        super.intervalDidStart(for: activity)
        state.signals += 1
        CFNotificationCenterPostNotification(
            CFNotificationCenterGetDarwinNotifyCenter(),
            CFNotificationName("dev.example.beacon.began" as CFString),
            nil,
            nil,
            true
        )
        WidgetCenter.shared.reloadAllTimelines()
        guard state.signals > 0 else { return }
        ManagedSettingsStore(named: .init("beacon")).shield.applicationCategories = .all()
    }

    override func intervalDidEnd(for activity: DeviceActivityName) {
        super.intervalDidEnd(for: activity)
        ManagedSettingsStore(named: .init("beacon")).clearAllSettings()
    }
}
