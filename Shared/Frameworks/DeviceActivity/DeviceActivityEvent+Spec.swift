import Foundation
import ManagedSettings
import STClientLink
import STContracts
import STDomain

extension DeviceActivityEvent {
    /// As it travels.
    func spec(_ name: Name) -> ActivityEventSpec {
        ActivityEventSpec(
            name: name.rawValue,
            targets: Self.targets(applications, .application) + Self.targets(categories, .category)
                + Self.targets(webDomains, .domain),
            threshold: DateFields(threshold),
            includesPastActivity: includesPastActivity
        )
    }

    init(_ spec: ActivityEventSpec) {
        self.init(
            applications: Self.tokens(spec, .application),
            categories: Self.tokens(spec, .category),
            webDomains: Self.tokens(spec, .domain),
            threshold: spec.threshold.components,
            includesPastActivity: spec.includesPastActivity
        )
    }

    /// In one order for one set, so that a repeated callback asks for the very same thing.
    private static func targets<T>(_ tokens: Set<Token<T>>, _ kind: TokenKind) -> [ActivityTarget] {
        tokens.map { $0.data.base64EncodedString() }.sorted().map { ActivityTarget(kind: kind, token: $0) }
    }

    private static func tokens<T>(_ spec: ActivityEventSpec, _ kind: TokenKind) -> Set<Token<T>> {
        Set(
            spec.targets.filter { $0.kind == kind }.compactMap(\.token).compactMap { Data(base64Encoded: $0) }
                .map(Token.init(data:))
        )
    }
}
