import DeviceActivity
import FamilyControls
import Foundation
import ManagedSettings
import STAppSupport
import STBarebonesKit
import os

/// Adds the shields when the interval starts, and removes them when it ends.
final class BarebonesMonitor: DeviceActivityMonitor {
    private let store = ManagedSettingsStore(named: .daily)
    private let log = Logger(subsystem: "barebones", category: "monitor")
    private let words = BarebonesWords(.current)

    override func intervalDidStart(for activity: DeviceActivityName) {
        super.intervalDidStart(for: activity)
        do {
            guard let selection = try BarebonesStore().selection() else {
                return log.error("The interval has started, and no apps are chosen.")
            }
            let apps = selection.applicationTokens
            store.shield.applications = apps.isEmpty ? nil : apps
            store.shield.applicationCategories = .specific(selection.categoryTokens)
            store.shield.webDomains = selection.webDomainTokens.isEmpty ? nil : selection.webDomainTokens
        } catch {
            // Without the choice nothing is shielded, so report the problem.
            log.fault("The choice cannot be read: \("\(error)", privacy: .public)")
        }
    }

    override func intervalDidEnd(for activity: DeviceActivityName) {
        super.intervalDidEnd(for: activity)
        store.clearAllSettings()
    }

    override func intervalWillStartWarning(for activity: DeviceActivityName) {
        super.intervalWillStartWarning(for: activity)
        say(words.startsSoon(BarebonesHours.warning), id: "starts")
    }

    override func intervalWillEndWarning(for activity: DeviceActivityName) {
        super.intervalWillEndWarning(for: activity)
        say(words.endsSoon(BarebonesHours.warning), id: "ends")
    }

    private func say(_ text: String, id: String) {
        tell(text, title: words.title, id: "\(id).\(Day(Date()).text)") { [log] error in
            log.error("This could not be shown: \("\(error)", privacy: .public)")
        }
    }
}

ExtensionMain.run { BarebonesMonitor() }
