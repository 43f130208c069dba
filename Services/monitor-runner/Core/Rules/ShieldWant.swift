package import STContracts

/// What shield-service should have in one place.
package enum ShieldWant: Sendable, Equatable {
    /// All settings of a store.
    case settings([String: JSONValue])
    /// A store that shields nothing at this moment.
    case clear
    /// The store of a rule that is gone.
    case gone
    /// A list of what is always allowed.
    case items([TokenItem])

    private static let apps = "shield.applications"
    private static let appCategories = "shield.applicationCategories"
    private static let sites = "shield.webDomains"
    private static let siteCategories = "shield.webDomainCategories"
    /// All that the store of a rule may hold.
    static let names = [apps, appCategories, sites, siteCategories]

    /// Shields these things; nothing named is everything there is.
    ///
    /// A category is one of apps and of sites: somebody who shuts social means both.
    static func shielding(_ items: [TokenItem]) -> ShieldWant {
        guard !items.isEmpty else {
            let all: JSONValue = ["policy": "all", "categories": [], "except": []]
            return .storing([appCategories: all, siteCategories: all])
        }
        var settings: [String: JSONValue] = [:]
        func things(_ kind: TokenKind) -> JSONValue? {
            let ids = Set(items.filter { $0.kind == kind }.map(\.id)).sorted()
            return ids.isEmpty ? nil : .array(ids.map { ["id": .string($0)] })
        }
        settings[apps] = things(.application)
        settings[sites] = things(.domain)
        if let categories = things(.category) {
            let policy: JSONValue = ["policy": "specific", "categories": categories, "except": []]
            settings[appCategories] = policy
            settings[siteCategories] = policy
        }
        return .storing(settings)
    }

    /// Things are named in any order, so that one order is compared with.
    static func storing(_ settings: [String: JSONValue]) -> ShieldWant {
        .settings(settings.mapValues(sorted))
    }

    private static func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let items): .array(items.sorted { ($0["id"]?.string ?? "") < ($1["id"]?.string ?? "") })
        case .object(let members): .object(members.mapValues(sorted))
        default: value
        }
    }

    static func allowing(_ items: [TokenItem]) -> ShieldWant {
        .items(Set(items).sorted(by: order))
    }

    private static func order(_ left: TokenItem, _ right: TokenItem) -> Bool {
        (left.kind.rawValue, left.id) < (right.kind.rawValue, right.id)
    }
}
