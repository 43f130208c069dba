import DeviceActivity
import FamilyControls
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
        let store = ManagedSettingsStore(named: .init("beacon"))
        // The selection that the app's picker saved.
        let defaults = UserDefaults(suiteName: "group.dev.example.beacon")
        if let data = defaults?.data(forKey: "chosen"),
            let chosen = try? JSONDecoder().decode(FamilyActivitySelection.self, from: data)
        {
            store.shield.applications = chosen.applicationTokens
            store.shield.applicationCategories = .specific(chosen.categoryTokens)
        }
    }

    override func intervalDidEnd(for activity: DeviceActivityName) {
        super.intervalDidEnd(for: activity)
        ManagedSettingsStore(named: .init("beacon")).clearAllSettings()
    }
}
