/// What one store shields, by canonical names: all that deciding needs of it.
package struct StoreShields: Sendable, Hashable {
    package var apps: Set<String>
    package var categories: CategoryPolicy
    package var domains: Set<String>
    package var domainCategories: CategoryPolicy
    /// Apps that are hidden and may not start.
    package var blockedApps: Set<String>
    package var filter: WebFilter

    package init(
        apps: Set<String> = [],
        categories: CategoryPolicy = .none,
        domains: Set<String> = [],
        domainCategories: CategoryPolicy = .none,
        blockedApps: Set<String> = [],
        filter: WebFilter = .none
    ) {
        self.apps = apps
        self.categories = categories
        self.domains = domains
        self.domainCategories = domainCategories
        self.blockedApps = blockedApps
        self.filter = filter
    }

    package var isEmpty: Bool { self == StoreShields() }
}
