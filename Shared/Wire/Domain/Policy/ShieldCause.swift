/// What of one store shields something.
package struct ShieldCause: Sendable, Hashable {
    package enum Way: String, Sendable {
        /// It is named itself.
        case named
        /// Its category is.
        case category
        /// All categories are.
        case all
        /// The app is hidden and may not start.
        case blocked
        /// The filter for web content keeps the site out.
        case filter

        /// Of several ways of one store.
        var order: UInt8 {
            switch self {
            case .named: 0
            case .category: 1
            case .all: 2
            case .blocked: 3
            case .filter: 4
            }
        }
    }

    /// What a policy over all categories or all sites names.
    package static let everything = "all"

    package var store: StoreName
    package var way: Way
    /// The app, the site or the category that the store names.
    package var what: String

    package init(store: StoreName, way: Way, what: String) {
        self.store = store
        self.way = way
        self.what = what
    }
}
