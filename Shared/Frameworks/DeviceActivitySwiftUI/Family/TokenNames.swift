import Foundation
import STClientLink
import STContracts
import STDomain
import STFoundationTypes
import STPlatform
import Synchronization

/// What tokens are called.
final class TokenNames: Sendable {
    static let shared = TokenNames(link: .current)

    /// Names that were asked for are kept; so many at most.
    private static let most = 2_000
    private static let askMs: Int64 = 2_000

    private let link: ClientLink
    private let things: ReportThings
    private let asked = Mutex<[Data: String?]>([:])

    init(link: ClientLink, things: ReportThings = .shared) {
        self.link = link
        self.things = things
    }

    /// In an extension that of the report; in an app that of the services.
    ///
    /// Nil when nobody knows.
    func name(of token: Data, language: String) -> String? {
        if let told = things.name(of: token) { return told }
        // What a report sees is all that its extension may ask for.
        guard !link.isExtension else { return nil }
        if let known = asked.withLock({ $0[token] }) { return known }
        let name = resolved(token, language)
        asked.withLock { names in
            if names.count < Self.most { names[token] = .some(name) }
        }
        return name
    }

    private func resolved(_ token: Data, _ language: String) -> String? {
        let request = TokenResolve.Request(
            app: link.identity.app,
            member: link.identity.member,
            tokens: [token.base64EncodedString()]
        )
        do throws(Problem) {
            let reply = try link.call(TokenResolve.self, to: .auth, request, timeoutMs: Self.askMs)
            guard let item = reply.items.first else { return nil }
            return item.kind == .category
                ? Category(rawValue: item.id)?.name(language: language) ?? item.id : item.id
        } catch {
            FrameworkLog.authorization.notice("the name of a token is not known: \(error.description)")
            return nil
        }
    }
}
