/// What somebody wants to use: an app, and the site open in it, each with its category.
package struct ShieldThing: Sendable, Hashable {
    package var app: String?
    package var category: String?
    package var domain: String?
    /// Nil for a site that nobody has said anything about.
    package var domainCategory: String?

    package init(
        app: String? = nil,
        category: String? = nil,
        domain: String? = nil,
        domainCategory: String? = nil
    ) {
        self.app = app
        self.category = category
        self.domain = domain.map(DomainName.normal)
        self.domainCategory = domainCategory
    }
}
