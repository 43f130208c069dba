package import STContracts
package import STDomain
import STPlatform

/// Which category an app or a site counts in, and what people have said differs from our list.
package struct CategoryBook: Sendable, Equatable {
    package private(set) var own: [String: Category] = [:]
    private var map = CategoryMap()

    private static let sitePrefix = "site:"

    package init(_ own: [String: Category] = [:]) {
        for (subject, category) in own.sorted(by: { $0.key < $1.key }) { _ = put(subject, category) }
    }

    package func category(app: String?, domain: String?) -> String? {
        app == nil && domain == nil ? nil : map.category(app: app, domain: domain).rawValue
    }

    package func choice(_ subject: String) -> CategoryChoice {
        let site = Self.site(subject)
        let category = site.map { map.category(app: nil, domain: $0) } ?? map.category(ofApp: subject)
        return CategoryChoice(subject: subject, category: category.rawValue, isOwn: own[subject] != nil)
    }

    /// False when there is no room for one more.
    package mutating func put(_ subject: String, _ category: Category?) -> Bool {
        let isTaken: Bool
        if let site = Self.site(subject) {
            isTaken = map.set(domain: site, category)
        } else {
            isTaken = map.set(app: subject, category)
        }
        if isTaken { own[subject] = category }
        return isTaken
    }

    private static func site(_ subject: String) -> String? {
        subject.hasPrefix(sitePrefix) ? String(subject.dropFirst(sitePrefix.count)) : nil
    }
}
