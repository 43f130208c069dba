package import DeviceActivity
package import FamilyControls
import Foundation
package import STAppSupport

/// What is watched, and when.
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

    /// The day's work; what was done before this was started counts too.
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
