import DeviceActivity
import Foundation
import ManagedSettings

class BaseMonitor: DeviceActivityMonitor {
    var store: ManagedSettingsStore { ManagedSettingsStore() }
}

class PledgeMonitor: BaseMonitor {
    override func eventDidReachThreshold(_ event: DeviceActivityEvent.Name, activity: DeviceActivityName) {
        super.eventDidReachThreshold(event, activity: activity)
        let group = Bundle.main.infoDictionary?["PledgeGroup"] as? String ?? ""
        PledgeStore.add("kept until \(event.rawValue)", group: group)
        #if PLEDGE_STRICT
        store.shield.applicationCategories = .all()
        #endif
    }

    override func intervalDidEnd(for activity: DeviceActivityName) {
        super.intervalDidEnd(for: activity)
        store.clearAllSettings()
    }
}
