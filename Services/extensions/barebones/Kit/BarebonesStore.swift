package import FamilyControls
import Foundation
import STAppSupport

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

    /// What was chosen last time; nil when nothing was.
    package func selection() throws -> FamilyActivitySelection? {
        guard let data = defaults.data(forKey: Key.selection) else { return nil }
        return try PropertyListDecoder().decode(FamilyActivitySelection.self, from: data)
    }

    package func save(_ selection: FamilyActivitySelection) throws {
        defaults.set(try PropertyListEncoder().encode(selection), forKey: Key.selection)
    }

    /// The choice as it was typed: a token does not tell its name.
    package var names: [String] {
        get { defaults.stringArray(forKey: Key.names) ?? [] }
        nonmutating set { defaults.set(newValue, forKey: Key.names) }
    }
}
