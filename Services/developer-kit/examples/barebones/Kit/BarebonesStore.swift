package import DeviceActivity
package import FamilyControls
import Foundation
package import ManagedSettings
package import STAppSupport

/// What the app and its extensions both know; the app alone writes it.
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

    /// The last choice; nil when there is none.
    package func selection() throws -> FamilyActivitySelection? {
        try defaults.selection(forKey: Key.selection)
    }

    package func save(_ selection: FamilyActivitySelection) throws {
        try defaults.set(selection, forKey: Key.selection)
    }

    /// The choice as it was typed, because a token has no readable name.
    package var names: [String] {
        get { defaults.stringArray(forKey: Key.names) ?? [] }
        nonmutating set { defaults.set(newValue, forKey: Key.names) }
    }
}

/// From when to when the chosen apps are shielded, every day.
package struct BarebonesHours: Equatable, Sendable {
    /// How long before each end of the interval the app says something.
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
