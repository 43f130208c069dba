/// Apps, categories and sites that something holds for.
package struct ThingSet: Sendable, Hashable {
    package var apps: Set<String>
    package var categories: Set<String>
    package var domains: Set<String>

    package init(apps: Set<String> = [], categories: Set<String> = [], domains: Set<String> = []) {
        self.apps = apps
        self.categories = categories
        self.domains = domains
    }

    package var isEmpty: Bool { apps.isEmpty && categories.isEmpty && domains.isEmpty }

    func holds(app: String?, category: String?) -> Bool {
        app.map(apps.contains) == true || category.map(categories.contains) == true
    }

    func holds(domain: String?, category: String?) -> Bool {
        if let category, categories.contains(category) { return true }
        guard let domain, !domains.isEmpty else { return false }
        return DomainName.first(for: domain) { domains.contains($0) ? true : nil } ?? false
    }
}
