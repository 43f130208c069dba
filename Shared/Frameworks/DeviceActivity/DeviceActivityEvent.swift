public import Foundation
public import ManagedSettings

/// An amount of use to be told of.
public struct DeviceActivityEvent: Equatable, Sendable {
    /// The apps whose use counts.
    public let applications: Set<ApplicationToken>

    /// The categories whose use counts.
    public let categories: Set<ActivityCategoryToken>

    /// The sites whose use counts.
    public let webDomains: Set<WebDomainToken>

    /// How much use.
    public let threshold: DateComponents

    /// Whether use counts that was before monitoring began.
    public let includesPastActivity: Bool

    /// Counts use from now on; without anything chosen it counts all use.
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

    /// Counts use, and if asked for that of the interval so far; without anything chosen it counts all use.
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

    /// Whether all use counts, because nothing was chosen.
    public var includesAllActivity: Bool { applications.isEmpty && categories.isEmpty && webDomains.isEmpty }

    /// The name of an event.
    public struct Name: RawRepresentable, Equatable, Hashable, Sendable {
        /// The name as text.
        public var rawValue: String

        /// The name with this text.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// The name with this text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}
