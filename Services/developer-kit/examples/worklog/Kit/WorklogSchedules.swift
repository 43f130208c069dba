package import DeviceActivity
package import FamilyControls
import Foundation
package import ManagedSettings
package import STAppSupport

/// The schedules and events to monitor.
package enum WorklogSchedules {
    package static let eveningStart = TimeOfDay(hour: 17, minute: 0, second: 0)
    package static let eveningEnd = TimeOfDay(hour: 20, minute: 0, second: 0)

    package static var eveningText: String { "\(eveningStart.text)–\(eveningEnd.text)" }

    package static let workday = DeviceActivitySchedule(
        intervalStart: TimeOfDay.midnight.components,
        intervalEnd: TimeOfDay.lastSecond.components,
        repeats: true
    )

    package static let evenings = DeviceActivitySchedule(
        intervalStart: DateComponents(hour: 17),
        intervalEnd: DateComponents(hour: 20),
        repeats: true
    )

    /// Returns the event for the day's work. It includes the work before monitoring was started.
    package static func work(_ selection: FamilyActivitySelection, _ hours: Length)
        -> [DeviceActivityEvent.Name: DeviceActivityEvent]
    {
        [
            .work: DeviceActivityEvent(
                applications: selection.applicationTokens,
                categories: selection.categoryTokens,
                webDomains: selection.webDomainTokens,
                threshold: hours.components,
                includesPastActivity: true
            )
        ]
    }
}

extension ManagedSettingsStore.Name {
    package static let gaming = Self("gaming")
    package static let social = Self("social")
}

extension DeviceActivityName {
    /// The activity that counts the work of a day. It covers every day from midnight to midnight.
    package static let workday = Self("workday")
    /// The activity for the hours in which social apps and sites are open.
    package static let evenings = Self("evenings")
}

extension DeviceActivityEvent.Name {
    /// The event that is reached when the day's work is done.
    package static let work = Self("work")
}
