public import ManagedSettings

/// The apps, categories and sites that a person chose.
public struct FamilyActivitySelection: Codable, Equatable {
    private enum CodingKeys: String, CodingKey {
        case applicationTokens, categoryTokens, webDomainTokens, includeEntireCategory
        case untokenizedApplicationIdentifiers, untokenizedCategoryIdentifiers,
            untokenizedWebDomainIdentifiers
    }

    /// Whether choosing a category also chooses all that is in it.
    public let includeEntireCategory: Bool

    /// The apps chosen.
    public var applicationTokens: Set<ApplicationToken>

    /// The categories chosen.
    public var categoryTokens: Set<ActivityCategoryToken>

    /// The sites chosen.
    public var webDomainTokens: Set<WebDomainToken>

    /// Chosen by name, in a selection that was made where there are no tokens; kept as they came.
    private var untokenizedApplications: [String]
    private var untokenizedCategories: [String]
    private var untokenizedWebDomains: [String]

    /// Nothing chosen.
    public init() { self.init(includeEntireCategory: false) }

    /// Nothing chosen.
    public init(includeEntireCategory: Bool) {
        self.includeEntireCategory = includeEntireCategory
        applicationTokens = []
        categoryTokens = []
        webDomainTokens = []
        untokenizedApplications = []
        untokenizedCategories = []
        untokenizedWebDomains = []
    }

    /// The apps chosen, by what stands for them.
    public var applications: Set<Application> {
        Set(applicationTokens.map(Application.init(token:)))
            .union(untokenizedApplications.map(Application.init(bundleIdentifier:)))
    }

    /// The categories chosen, by what stands for them.
    public var categories: Set<ActivityCategory> { Set(categoryTokens.map(ActivityCategory.init(token:))) }

    /// The sites chosen, by what stands for them.
    public var webDomains: Set<WebDomain> {
        Set(webDomainTokens.map(WebDomain.init(token:))).union(
            untokenizedWebDomains.map(WebDomain.init(domain:))
        )
    }

    /// Reads what `encode(to:)` wrote, here or on a phone; a missing part is empty.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func list<Item: Decodable>(_ key: CodingKeys) throws -> [Item] {
            try container.decodeIfPresent([Item].self, forKey: key) ?? []
        }
        includeEntireCategory =
            try container.decodeIfPresent(Bool.self, forKey: .includeEntireCategory) ?? false
        applicationTokens = Set(try list(.applicationTokens))
        categoryTokens = Set(try list(.categoryTokens))
        webDomainTokens = Set(try list(.webDomainTokens))
        untokenizedApplications = try list(.untokenizedApplicationIdentifiers)
        untokenizedCategories = try list(.untokenizedCategoryIdentifiers)
        untokenizedWebDomains = try list(.untokenizedWebDomainIdentifiers)
    }

    /// Writes all seven parts, in an order that is the same for equal selections.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.ordered(applicationTokens), forKey: .applicationTokens)
        try container.encode(Self.ordered(categoryTokens), forKey: .categoryTokens)
        try container.encode(Self.ordered(webDomainTokens), forKey: .webDomainTokens)
        try container.encode(includeEntireCategory, forKey: .includeEntireCategory)
        try container.encode(untokenizedApplications, forKey: .untokenizedApplicationIdentifiers)
        try container.encode(untokenizedCategories, forKey: .untokenizedCategoryIdentifiers)
        try container.encode(untokenizedWebDomains, forKey: .untokenizedWebDomainIdentifiers)
    }

    private static func ordered<T>(_ tokens: Set<Token<T>>) -> [Token<T>] {
        tokens.sorted { $0.data.lexicographicallyPrecedes($1.data) }
    }
}
