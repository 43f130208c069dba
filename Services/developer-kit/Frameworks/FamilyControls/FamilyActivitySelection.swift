import Foundation
public import ManagedSettings
import STClientLink
import STContracts
import STDomain
import STFoundationTypes
import STPlatform

public struct FamilyActivitySelection: Codable, Equatable {
    private enum CodingKeys: String, CodingKey {
        case applicationTokens, categoryTokens, webDomainTokens, includeEntireCategory
        case untokenizedApplicationIdentifiers, untokenizedCategoryIdentifiers,
            untokenizedWebDomainIdentifiers
    }

    /// True if the selection of a category also selects everything in it.
    public let includeEntireCategory: Bool

    public var applicationTokens: Set<ApplicationToken>
    public var categoryTokens: Set<ActivityCategoryToken>
    public var webDomainTokens: Set<WebDomainToken>

    /// The items selected by name because they have no token. Encoding preserves them.
    private var untokenizedApplications: [String]
    private var untokenizedCategories: [String]
    private var untokenizedWebDomains: [String]

    public init() { self.init(includeEntireCategory: false) }

    public init(includeEntireCategory: Bool) {
        self.includeEntireCategory = includeEntireCategory
        applicationTokens = []
        categoryTokens = []
        webDomainTokens = []
        untokenizedApplications = []
        untokenizedCategories = []
        untokenizedWebDomains = []
    }

    public var applications: Set<Application> {
        Set(applicationTokens.map(Application.init(token:)))
            .union(untokenizedApplications.map(Application.init(bundleIdentifier:)))
    }

    public var categories: Set<ActivityCategory> { Set(categoryTokens.map(ActivityCategory.init(token:))) }

    public var webDomains: Set<WebDomain> {
        Set(webDomainTokens.map(WebDomain.init(token:))).union(
            untokenizedWebDomains.map(WebDomain.init(domain:))
        )
    }

    /// Decodes a selection that was encoded here or on a phone. A missing part becomes empty.
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

    /// Encodes the selection in sorted order, so that equal selections have equal encodings.
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

    /// Returns a selection by names, for apps that select in a terminal or in a file.
    ///
    /// Apple has no such method, because on a phone only the picker can select. Apps have the names that `screentime report`
    /// shows. Sites are identified by their domain.
    ///
    /// - Throws: A `FamilyControlsError` without permission or connection. Otherwise a `ScreenTimeProblem` with the reason, for
    /// example an invalid name.
    public static func choosing(
        applications: [String] = [],
        categories: [String] = [],
        webDomains: [String] = [],
        includeEntireCategory: Bool = false
    ) throws -> FamilyActivitySelection {
        try choosing(
            applications.map { TokenItem(kind: .application, id: $0) }
                + categories.map { TokenItem(kind: .category, id: try known($0)) }
                + webDomains.map { TokenItem(kind: .domain, id: DomainName.normal($0)) },
            includeEntireCategory: includeEntireCategory,
            link: .current
        )
    }

    /// Checks a category. An unknown category would silently count nothing.
    private static func known(_ category: String) throws -> String {
        let all = Category.allCases.map(\.rawValue)
        if all.contains(category) { return category }
        let list = all.joined(separator: ", ")
        throw ScreenTimeProblem(
            Problem(
                "category.unknown",
                text: TextFormat.closest(to: category, in: all).map {
                    Message(
                        "category.unknown.of-a-selection-did-you-mean",
                        """
                        There is no category \(category.prefix(40), "category"). Did you mean \($0, "near")? \
                        Valid categories: \(list, "categories").
                        """
                    )
                }
                    ?? Message(
                        "category.unknown.of-a-selection",
                        """
                        There is no category \(category.prefix(40), "category"). Valid categories: \
                        \(list, "categories").
                        """
                    )
            )
        )
    }

    static func choosing(
        _ items: [TokenItem],
        includeEntireCategory: Bool,
        link: ClientLink
    ) throws -> FamilyActivitySelection {
        var selection = FamilyActivitySelection(includeEntireCategory: includeEntireCategory)
        guard !items.isEmpty else { return selection }
        let request = TokenIssue.Request(app: link.identity.app, member: link.identity.member, items: items)
        let tokens: [String]
        do throws(Problem) {
            tokens = try link.call(TokenIssue.self, to: .auth, request).tokens
        } catch {
            FrameworkLog.authorization.error("choosing: \(error.description)")
            throw FamilyControlsError.unlessOther(error) ?? ScreenTimeProblem(error)
        }
        for (item, text) in zip(items, tokens) {
            guard let data = Data(base64Encoded: text) else { continue }
            switch item.kind {
            case .application: selection.applicationTokens.insert(Token(data: data))
            case .category: selection.categoryTokens.insert(Token(data: data))
            case .domain: selection.webDomainTokens.insert(Token(data: data))
            case .unknown: break
            }
        }
        return selection
    }
}
