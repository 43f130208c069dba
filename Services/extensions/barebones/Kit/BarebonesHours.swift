package import DeviceActivity
import Foundation
package import STAppSupport

/// From when to when the chosen apps are shielded, every day.
package struct BarebonesHours: Equatable, Sendable {
    /// As long before each end of the interval something is said.
    package static let warning = Length(minutes: 5)

    package var from: TimeOfDay
    package var to: TimeOfDay

    package init(
        from: TimeOfDay = TimeOfDay(hour: 9, minute: 0, second: 0),
        to: TimeOfDay = TimeOfDay(hour: 18, minute: 0, second: 0)
    ) {
        self.from = from
        self.to = to
    }

    package var text: String { "\(from.text)–\(to.text)" }

    package var schedule: DeviceActivitySchedule {
        DeviceActivitySchedule(
            intervalStart: from.components,
            intervalEnd: to.components,
            repeats: true,
            warningTime: Self.warning.components
        )
    }
}
