package import DeviceActivity
package import FamilyControls
import Foundation
package import ManagedSettings
package import STAppSupport

/// The data shared by the app and its extensions. Only the app writes it.
package struct BarebonesStore {
    package static let group = "group.barebones"

    private enum Key {
        static let from = "From"
        static let to = "To"
        static let selection = "Selection"
        static let names = "ChosenNames"
    }

    private let defaults: UserDefaults

    package init(defaults: UserDefaults = UserDefaults(suiteName: Self.group) ?? .standard) {
        self.defaults = defaults
    }

    package var hours: BarebonesHours {
        get {
            let usual = BarebonesHours()
            return BarebonesHours(
                from: defaults.string(forKey: Key.from).flatMap { TimeOfDay($0) } ?? usual.from,
                to: defaults.string(forKey: Key.to).flatMap { TimeOfDay($0) } ?? usual.to
            )
        }
        nonmutating set {
            defaults.set(newValue.from.text, forKey: Key.from)
            defaults.set(newValue.to.text, forKey: Key.to)
        }
    }

    /// Returns the stored choice, or `nil` if there is none.
    package func selection() throws -> FamilyActivitySelection? {
        try defaults.selection(forKey: Key.selection)
    }

    package func save(_ selection: FamilyActivitySelection) throws {
        try defaults.set(selection, forKey: Key.selection)
    }

    /// The choice as the person typed it, because a token has no readable name.
    package var names: [String] {
        get { defaults.stringArray(forKey: Key.names) ?? [] }
        nonmutating set { defaults.set(newValue, forKey: Key.names) }
    }
}

/// The daily hours in which the chosen apps are shielded.
package struct BarebonesHours: Equatable, Sendable {
    /// The time between a warning and the start or end that it announces.
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

extension DeviceActivityName {
    package static let daily = Self("daily")
}

extension ManagedSettingsStore.Name {
    package static let daily = Self("daily")
}
