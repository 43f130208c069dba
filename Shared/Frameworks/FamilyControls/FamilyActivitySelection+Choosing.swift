import Foundation
import ManagedSettings
import STClientLink
import STContracts
import STDomain
import STFoundationTypes
import STPlatform

extension FamilyActivitySelection {
    /// A selection of things by their names, for apps that choose in a terminal or in a file.
    ///
    /// Not Apple's, where only the picker can choose. Apps are named as `screentime report` names them, sites by their domain.
    ///
    /// - Throws: A `FamilyControlsError` where the app has no permission or cannot be reached, and a `ScreenTimeProblem` with the
    ///   reason for everything else, such as a name that cannot be one.
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

    /// A category that there is not would count nothing for ever, without a word.
    private static func known(_ category: String) throws -> String {
        let all = Category.allCases.map(\.rawValue)
        if all.contains(category) { return category }
        let near = TextFormat.closest(to: category, in: all).map { " Did you mean \($0)?" } ?? ""
        throw ScreenTimeProblem(
            Problem(
                "category.unknown",
                "There is no category \(category.prefix(40)).\(near) There are: \(all.joined(separator: ", "))."
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
