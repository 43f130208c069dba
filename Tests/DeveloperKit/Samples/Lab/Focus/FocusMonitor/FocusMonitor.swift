import DeviceActivity
import Foundation
import ManagedSettings

final class FocusMonitor: DeviceActivityMonitor {
    private let book = FocusBook()
    private let store = ManagedSettingsStore(named: .init("focus"))

    override func intervalDidStart(for activity: DeviceActivityName) {
        super.intervalDidStart(for: activity)
        let group = Bundle.main.object(forInfoDictionaryKey: "FocusGroup") as? String
        book.note("began in \(Bundle.main.bundleIdentifier ?? "nothing") with \(group ?? "no group")")
        store.shield.applicationCategories = .all()
    }

    override func intervalDidEnd(for activity: DeviceActivityName) {
        super.intervalDidEnd(for: activity)
        store.clearAllSettings()
    }

    override func eventDidReachThreshold(_ event: DeviceActivityEvent.Name, activity: DeviceActivityName) {
        super.eventDidReachThreshold(event, activity: activity)
        book.note("reached \(event.rawValue)")
    }
}
