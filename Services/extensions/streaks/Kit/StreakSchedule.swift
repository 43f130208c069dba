package import DeviceActivity
import Foundation
package import STAppSupport

/// When the tasks hold: every day, from midnight to midnight.
package enum StreakSchedule {
    package static let warning = Length(minutes: 1)

    package static let everyDay = DeviceActivitySchedule(
        intervalStart: TimeOfDay.midnight.components,
        intervalEnd: TimeOfDay.lastSecond.components,
        repeats: true,
        warningTime: warning.components
    )
}
