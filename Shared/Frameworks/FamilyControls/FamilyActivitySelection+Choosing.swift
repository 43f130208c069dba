import Foundation
import ManagedSettings
import STClientLink
import STContracts
import STFoundationTypes
import STPlatform

extension FamilyActivitySelection {
    /// A selection of things by their names, for apps that choose in a terminal or in a file.
    ///
    /// Not Apple's, where only the picker can choose. Apps are named as `screentime today` names them, sites by their domain.
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
                + categories.map { TokenItem(kind: .category, id: $0) }
                + webDomains.map { TokenItem(kind: .domain, id: $0) },
            includeEntireCategory: includeEntireCategory,
            link: .current
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
