/// What counts: apps, categories and sites in one set; an empty one means everything.
package struct BudgetTarget: Sendable, Hashable {
    package private(set) var apps: Set<String>
    package private(set) var categories: Set<String>
    /// A site counts with everything below it.
    package private(set) var domains: Set<String>

    /// Entries of all three together.
    package static let entriesMax = 1000

    package init(apps: Set<String> = [], categories: Set<String> = [], domains: Set<String> = []) {
        self.apps = apps
        self.categories = categories
        self.domains = Set(domains.map(DomainName.normal))
    }

    package var isEverything: Bool { apps.isEmpty && categories.isEmpty && domains.isEmpty }

    package func matches(app: String?, category: String?, domain: String?) -> Bool {
        if isEverything { return true }
        if let app, apps.contains(app) { return true }
        if let category, categories.contains(category) { return true }
        guard let domain, !domains.isEmpty else { return false }
        return DomainName.first(for: domain) { domains.contains($0) ? true : nil } ?? false
    }
}

extension BudgetTarget: Codable {
    private enum CodingKeys: String, CodingKey {
        case apps, categories, domains
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            apps: Set(try container.decodeIfPresent([String].self, forKey: .apps) ?? []),
            categories: Set(try container.decodeIfPresent([String].self, forKey: .categories) ?? []),
            domains: Set(try container.decodeIfPresent([String].self, forKey: .domains) ?? [])
        )
    }

    /// In order, so that the same target is always the same text.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if !apps.isEmpty { try container.encode(apps.sorted(), forKey: .apps) }
        if !categories.isEmpty { try container.encode(categories.sorted(), forKey: .categories) }
        if !domains.isEmpty { try container.encode(domains.sorted(), forKey: .domains) }
    }
}
