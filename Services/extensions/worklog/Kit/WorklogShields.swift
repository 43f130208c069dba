import FamilyControls
import ManagedSettings

/// What each of the two stores holds while it shields.
package struct WorklogShields {
    private let store: WorklogStore

    package init(store: WorklogStore = WorklogStore()) { self.store = store }

    /// Apps and sites of the category; false when no category was chosen yet.
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
