import Foundation
import ManagedSettings
import STClientLink
import STContracts
import STDomain
import STFoundationTypes
import STPlatform

extension FamilyActivitySelection {
    /// What a person would choose in a picker, given by name; ours, not Apple's.
    ///
    /// On a phone an app learns of a choice only through a picker, and never learns a name. An app in a terminal is told names
    /// by its person, and a test has them: ids of apps as the desktop reports them, categories such as `games`, and domains.
    /// It may ask for their tokens as long as it has permission.
    ///
    /// - Throws: A `FamilyControlsError`: `unauthorized` without permission, `invalidArgument` for a name that cannot be
    ///   one, `unavailable` when the system does not run. The log has the reason in words.
    public static func choosing(
        applications: [String] = [],
        categories: [String] = [],
        webDomains: [String] = [],
        includeEntireCategory: Bool = false
    ) throws -> FamilyActivitySelection {
        try choosing(
            applications: applications,
            categories: categories,
            webDomains: webDomains,
            includeEntireCategory: includeEntireCategory,
            link: .current
        )
    }

    static func choosing(
        applications: [String],
        categories: [String],
        webDomains: [String],
        includeEntireCategory: Bool = false,
        link: ClientLink
    ) throws -> FamilyActivitySelection {
        do {
            var items = applications.map { TokenItem(kind: .application, id: $0) }
            items += try categories.map { TokenItem(kind: .category, id: try category($0)) }
            items += webDomains.map { TokenItem(kind: .domain, id: DomainName.normal($0)) }
            var selection = FamilyActivitySelection(includeEntireCategory: includeEntireCategory)
            for (item, data) in zip(items, try tokens(for: items, link)) { selection.add(data, item.kind) }
            return selection
        } catch {
            FrameworkLog.authorization.error("choosing: \(error)")
            throw (error as? Problem).map(FamilyControlsError.of) ?? .unavailable
        }
    }

    private static func tokens(for items: [TokenItem], _ link: ClientLink) throws -> [Data] {
        guard !items.isEmpty else { return [] }
        let reply = try link.call(
            TokenIssue.self,
            to: .auth,
            .init(app: link.identity.app, member: link.identity.member, items: items)
        )
        let tokens = reply.tokens.compactMap { Data(base64Encoded: $0) }
        guard tokens.count == items.count else {
            throw Problem("reply.invalid", "\(tokens.count) tokens came for \(items.count) names.")
        }
        return tokens
    }

    private static func category(_ name: String) throws -> String {
        let known = Category.allCases.map(\.rawValue)
        guard !known.contains(name) else { return name }
        let near = TextFormat.closest(to: name, in: known).map { " Did you mean \($0)?" } ?? ""
        throw Problem(
            "body.unknown_category",
            "There is no category \(name.prefix(40)).\(near) There are: \(known.joined(separator: ", "))."
        )
    }

    private mutating func add(_ data: Data, _ kind: TokenKind) {
        switch kind {
        case .application: applicationTokens.insert(Token(data: data))
        case .category: categoryTokens.insert(Token(data: data))
        case .domain: webDomainTokens.insert(Token(data: data))
        case .unknown: break
        }
    }
}
