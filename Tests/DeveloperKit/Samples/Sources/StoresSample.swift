import DeviceActivity
import FamilyControls
import Foundation
import ManagedSettings
import UserNotifications

extension ManagedSettingsStore.Name {
    package static let gaming = Self("gaming")
    package static let social = Self("social")
}

extension ManagedSettingsStore {
    package static let social = ManagedSettingsStore(named: .social)
}

// A typical monitor: the default store, a named store and a selection that the app saved.
package class StoresSample: DeviceActivityMonitor {
    let store = ManagedSettingsStore()
    let center = UNUserNotificationCenter.current()

    package override init() { super.init() }

    private var selection: FamilyActivitySelection {
        guard let data = UserDefaults(suiteName: "group.sample")?.data(forKey: "selection"),
            let selection = try? JSONDecoder().decode(FamilyActivitySelection.self, from: data)
        else { return FamilyActivitySelection() }
        return selection
    }

    package override func intervalDidStart(for activity: DeviceActivityName) {
        super.intervalDidStart(for: activity)
        let selection = self.selection
        store.shield.applications = selection.applicationTokens.isEmpty ? nil : selection.applicationTokens
        store.shield.applicationCategories =
            selection.categoryTokens.isEmpty
            ? nil : ShieldSettings.ActivityCategoryPolicy.specific(selection.categoryTokens)
        store.shield.applicationCategories = .specific(selection.categoryTokens, except: Set())
        store.shield.webDomains = selection.webDomainTokens
        store.shield.webDomainCategories = .all(except: selection.webDomainTokens)
        store.webContent.blockedByFilter = .auto(selection.webDomains, except: [])
        store.dateAndTime.requireAutomaticDateAndTime = true
        store.application.denyAppRemoval = true
        store.media.maximumMovieRating = 300
        let gaming = ManagedSettingsStore(named: .gaming)
        gaming.shield.applicationCategories = .all()
        notify("Started")
    }

    package override func intervalDidEnd(for activity: DeviceActivityName) {
        super.intervalDidEnd(for: activity)
        store.clearAllSettings()
        store.shield.applications = nil
        ManagedSettingsStore(named: ManagedSettingsStore.Name(activity.rawValue)).clearAllSettings()
    }

    private func notify(_ text: String) {
        let content = UNMutableNotificationContent()
        content.title = text
        content.body = "Time to work."
        content.sound = .default
        content.userInfo = ["kind": "start"]
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 1, repeats: false)
        let request = UNNotificationRequest(identifier: UUID().uuidString, content: content, trigger: trigger)
        center.add(request) { error in
            if let error = error { print("Error: \(error.localizedDescription)") }
        }
    }
}
