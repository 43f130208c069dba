package import FamilyControls
import Foundation
import ManagedSettings
package import STAppSupport

/// The data shared by the app and its extensions.
///
/// The app writes the choice. The monitor writes the day on which the work was done. No value is written by both.
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

    /// Returns the apps that count as work, or `nil` if none were chosen.
    package func work() throws -> FamilyActivitySelection? { try defaults.selection(forKey: Key.work) }

    package func save(work: FamilyActivitySelection) throws { try defaults.set(work, forKey: Key.work) }

    /// Returns the categories of a group, as tokens from the picker.
    package func shielded(_ group: WorklogGroup) throws -> FamilyActivitySelection? {
        try defaults.selection(forKey: Key.shielded + group.rawValue)
    }

    package func save(_ selection: FamilyActivitySelection, shielding group: WorklogGroup) throws {
        try defaults.set(selection, forKey: Key.shielded + group.rawValue)
    }

    /// The choice as the person typed it, because a token has no readable name.
    package var names: [String] {
        get { defaults.stringArray(forKey: Key.names) ?? [] }
        nonmutating set { defaults.set(newValue, forKey: Key.names) }
    }

    /// The amount of work after which games are open.
    package var hours: Length {
        get { Length(seconds: defaults.object(forKey: Key.hours) as? Int ?? 7_200) }
        nonmutating set { defaults.set(newValue.seconds, forKey: Key.hours) }
    }

    /// True if the person has started the rules. If it is false, the monitor removes all shields.
    package var isStarted: Bool {
        get { defaults.bool(forKey: Key.isStarted) }
        nonmutating set { defaults.set(newValue, forKey: Key.isStarted) }
    }

    /// True if social apps and sites are open in the evening.
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
}

/// A group of shielded things. Games are shielded until the work is done, social things until the evening. Each group has its own
/// store.
package enum WorklogGroup: String, CaseIterable, Sendable {
    case games, social
}

/// Adds and removes the shields in the two stores.
package struct WorklogShields {
    private let store: WorklogStore

    package init(store: WorklogStore = WorklogStore()) { self.store = store }

    /// Shields the apps and sites of the group's categories. Returns false if no category was chosen.
    @discardableResult
    package func up(_ group: WorklogGroup) throws -> Bool {
        guard let categories = try store.shielded(group)?.categoryTokens, !categories.isEmpty else {
            return false
        }
        let settings = Self.settings(of: group)
        settings.shield.applicationCategories = .specific(categories)
        settings.shield.webDomainCategories = .specific(categories)
        return true
    }

    package func down(_ group: WorklogGroup) { Self.settings(of: group).clearAllSettings() }

    package func isUp(_ group: WorklogGroup) -> Bool {
        Self.settings(of: group).shield.applicationCategories != nil
    }

    private static func settings(of group: WorklogGroup) -> ManagedSettingsStore {
        switch group {
        case .games: ManagedSettingsStore(named: .gaming)
        case .social: ManagedSettingsStore(named: .social)
        }
    }
}
