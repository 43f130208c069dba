package import FamilyControls
import Foundation
package import STAppSupport

/// What the app and its extensions both know.
///
/// The app writes the choice, the monitor the day on which the work was done; nothing is written by both.
package struct WorklogStore {
    package static let group = "group.worklog"

    private enum Key {
        static let work = "Work"
        static let names = "WorkNames"
        static let hours = "WorkSeconds"
        static let shielded = "ShieldedCategories"
        static let doneDay = "DoneDay"
        static let isStarted = "IsStarted"
        static let hasEvenings = "HasEvenings"
    }

    private let defaults: UserDefaults

    package init(defaults: UserDefaults = UserDefaults(suiteName: Self.group) ?? .standard) {
        self.defaults = defaults
    }

    // MARK: - Written by the app

    /// The apps that are work; nil when none were chosen.
    package func work() throws -> FamilyActivitySelection? { try selection(Key.work) }

    package func save(work: FamilyActivitySelection) throws { try save(work, Key.work) }

    /// The categories of games and of social things, by the tokens the picker gave.
    package func shielded(_ group: WorklogGroup) throws -> FamilyActivitySelection? {
        try selection(Key.shielded + group.rawValue)
    }

    package func save(_ selection: FamilyActivitySelection, shielding group: WorklogGroup) throws {
        try save(selection, Key.shielded + group.rawValue)
    }

    /// The choice as it was typed: a token does not tell its name.
    package var names: [String] {
        get { defaults.stringArray(forKey: Key.names) ?? [] }
        nonmutating set { defaults.set(newValue, forKey: Key.names) }
    }

    /// How much work opens the games.
    package var hours: Length {
        get { Length(seconds: defaults.object(forKey: Key.hours) as? Int ?? 7_200) }
        nonmutating set { defaults.set(newValue.seconds, forKey: Key.hours) }
    }

    /// Whether the person wants any of it at this time; the monitor lifts all when not.
    package var isStarted: Bool {
        get { defaults.bool(forKey: Key.isStarted) }
        nonmutating set { defaults.set(newValue, forKey: Key.isStarted) }
    }

    /// Whether social apps and sites open in the evening.
    package var hasEvenings: Bool {
        get { defaults.bool(forKey: Key.hasEvenings) }
        nonmutating set { defaults.set(newValue, forKey: Key.hasEvenings) }
    }

    // MARK: - Written by the monitor

    /// The last day on which the work was done.
    package var doneDay: Day? {
        get { defaults.string(forKey: Key.doneDay).flatMap { Day($0) } }
        nonmutating set { defaults.set(newValue?.text, forKey: Key.doneDay) }
    }

    // MARK: -

    private func selection(_ key: String) throws -> FamilyActivitySelection? {
        guard let data = defaults.data(forKey: key) else { return nil }
        return try PropertyListDecoder().decode(FamilyActivitySelection.self, from: data)
    }

    private func save(_ selection: FamilyActivitySelection, _ key: String) throws {
        defaults.set(try PropertyListEncoder().encode(selection), forKey: key)
    }
}
