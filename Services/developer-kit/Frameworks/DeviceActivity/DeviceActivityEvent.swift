public import Foundation
public import ManagedSettings
import STClientLink
import STContracts
import STDomain

/// A threshold of use, reported to the app's monitor extension.
public struct DeviceActivityEvent: Equatable, Sendable {
    public let applications: Set<ApplicationToken>
    public let categories: Set<ActivityCategoryToken>
    public let webDomains: Set<WebDomainToken>
    public let threshold: DateComponents

    /// True if the use in the current interval before monitoring began counts.
    public let includesPastActivity: Bool

    /// Creates an event that counts use from the start of monitoring. Without any token it counts all use.
    public init(
        applications: Set<ApplicationToken> = [],
        categories: Set<ActivityCategoryToken> = [],
        webDomains: Set<WebDomainToken> = [],
        threshold: DateComponents
    ) {
        self.init(
            applications: applications,
            categories: categories,
            webDomains: webDomains,
            threshold: threshold,
            includesPastActivity: false
        )
    }

    /// Creates an event. Without any token it counts all use. If `includesPastActivity` is true, the earlier use in the interval
    /// also counts.
    public init(
        applications: Set<ApplicationToken> = [],
        categories: Set<ActivityCategoryToken> = [],
        webDomains: Set<WebDomainToken> = [],
        threshold: DateComponents,
        includesPastActivity: Bool
    ) {
        self.applications = applications
        self.categories = categories
        self.webDomains = webDomains
        self.threshold = threshold
        self.includesPastActivity = includesPastActivity
    }

    public var includesAllActivity: Bool { applications.isEmpty && categories.isEmpty && webDomains.isEmpty }

    public struct Name: RawRepresentable, Equatable, Hashable, Sendable {
        public var rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Returns the event as the frameworks send it.
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

    /// Returns the targets, sorted so that a repeated callback sends the same request.
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
