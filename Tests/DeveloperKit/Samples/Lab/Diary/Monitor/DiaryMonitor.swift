import DeviceActivity
import Foundation
import ManagedSettings

@objc(DiaryMonitor)
@objcMembers
final class DiaryMonitor: DeviceActivityMonitor {
    private let store = ManagedSettingsStore(named: .init("diary"))

    override func intervalDidStart(for activity: DeviceActivityName) {
        super.intervalDidStart(for: activity)
        try? Book.write("The day begins.")
        store.shield.applicationCategories = .all()
    }

    override func eventDidReachThreshold(_ event: DeviceActivityEvent.Name, activity: DeviceActivityName) {
        super.eventDidReachThreshold(event, activity: activity)
        try? Book.write("Half an hour.")
    }

    @objc override func intervalDidEnd(for activity: DeviceActivityName) { store.clearAllSettings() }
}
