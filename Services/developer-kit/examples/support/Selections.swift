package import FamilyControls
import Foundation

extension AuthorizationCenter {
    package var isApproved: Bool {
        switch authorizationStatus {
        case .approved, .approvedWithDataAccess: true
        default: false
        }
    }
}

extension FamilyActivitySelection {
    package init(_ choice: Choice) throws {
        self = try .choosing(
            applications: choice.applications,
            categories: choice.categories,
            webDomains: choice.sites
        )
    }

    package var isEmpty: Bool {
        applicationTokens.isEmpty && categoryTokens.isEmpty && webDomainTokens.isEmpty
    }
}

extension UserDefaults {
    /// Returns the selection stored by `set(_:forKey:)`. Returns `nil` if there is none.
    package func selection(forKey key: String) throws -> FamilyActivitySelection? {
        try data(forKey: key).map { try PropertyListDecoder().decode(FamilyActivitySelection.self, from: $0) }
    }

    package func set(_ selection: FamilyActivitySelection, forKey key: String) throws {
        set(try PropertyListEncoder().encode(selection), forKey: key)
    }
}
