package import STContracts
import STDomain
import STEngine
import STPlatform

/// The decisions of the rules: a store for each rule that shields, and an always-allowed list for each member.
///
/// shield-service follows these decisions.
package struct RuleShields: Sendable, Equatable {
    package enum Place: Sendable, Hashable, Comparable {
        /// The always-allowed list. It sorts before the stores, so that no shield covers its items.
        case allowed(member: String)
        case store(member: String, rule: String)

        package var member: String {
            switch self {
            case .allowed(let member), .store(let member, _): member
            }
        }

        package static func < (left: Place, right: Place) -> Bool { left.order < right.order }

        private var order: (Int, String, String) {
            switch self {
            case .allowed(let member): (0, member, "")
            case .store(let member, let rule): (1, member, rule)
            }
        }
    }

    package struct Decision: Sendable, Equatable {
        package var shield: DesiredShield
        /// The id of the event or request that caused the decision.
        package var cause: String?
    }

    package var decisions: [Place: Decision] = [:]

    package init() {}

    /// Publishes the decision of a place.
    func publish(_ place: Place, _ change: StoreTransaction) throws {
        let decision = decisions[place]
        switch place {
        case .allowed(let member):
            var items: [TokenItem] = []
            if case .items(let allowed)? = decision?.shield { items = allowed }
            let body = RuleAllowance(member: member, items: items, cause: decision?.cause ?? change.cause)
            try change.emit(RuleAllowed.self, subject: "allowed/\(member)", body)
        case .store(let member, let rule):
            var body = RuleDecision(member: member, rule: rule, cause: decision?.cause ?? change.cause)
            if case .settings(let settings)? = decision?.shield { body.settings = settings }
            if decision == nil { body.isRemoved = true }
            try change.emit(RuleDecided.self, subject: "rule/\(member)/\(rule)", body)
        }
    }
}

/// The contents of one store or list.
package enum DesiredShield: Sendable, Equatable {
    /// A store with these settings.
    case settings([String: JSONValue])
    /// A store that shields nothing at this moment.
    case clear
    /// An always-allowed list.
    case items([TokenItem])

    private static let apps = "shield.applications"
    private static let appCategories = "shield.applicationCategories"
    private static let sites = "shield.webDomains"
    private static let siteCategories = "shield.webDomainCategories"
    /// Returns settings that shield these apps, sites and categories, with a note. An empty list shields everything except `free`.
    ///
    /// A category covers apps and sites: a parent who shields “social” means both.
    static func shielding(_ items: [TokenItem], except free: [TokenItem] = [], _ note: ShieldNote)
        -> DesiredShield
    {
        var settings = [SettingKey.note.name: note.json]
        func things(_ kind: TokenKind, of items: [TokenItem]) -> JSONValue? {
            let ids = Set(items.filter { $0.kind == kind }.map(\.id)).sorted()
            return ids.isEmpty ? nil : .array(ids.map { ["id": .string($0)] })
        }
        guard !items.isEmpty else {
            func all(but kind: TokenKind) -> JSONValue {
                ["policy": "all", "categories": [], "except": things(kind, of: free) ?? []]
            }
            settings[appCategories] = all(but: .application)
            settings[siteCategories] = all(but: .domain)
            return .storing(settings)
        }
        func things(_ kind: TokenKind) -> JSONValue? { things(kind, of: items) }
        settings[apps] = things(.application)
        settings[sites] = things(.domain)
        if let categories = things(.category) {
            let policy: JSONValue = ["policy": "specific", "categories": categories, "except": []]
            settings[appCategories] = policy
            settings[siteCategories] = policy
        }
        return .storing(settings)
    }

    /// Sorts the lists in the settings, so that lists with the same items compare as equal.
    static func storing(_ settings: [String: JSONValue]) -> DesiredShield {
        .settings(settings.mapValues(sorted))
    }

    private static func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let items): .array(items.sorted { ($0["id"]?.string ?? "") < ($1["id"]?.string ?? "") })
        case .object(let members): .object(members.mapValues(sorted))
        default: value
        }
    }

    static func allowing(_ items: [TokenItem]) -> DesiredShield {
        .items(Set(items).sorted(by: order))
    }

    private static func order(_ left: TokenItem, _ right: TokenItem) -> Bool {
        (left.kind.rawValue, left.id) < (right.kind.rawValue, right.id)
    }
}
