/// Which categories are shielded, and which apps or sites of them are not.
package struct CategoryPolicy: Sendable, Hashable {
    package enum Reach: String, Sendable {
        case none, specific, all
    }

    package var reach: Reach
    /// Of `specific`: canonical names of categories.
    package var categories: Set<String>
    /// Canonical names of apps or sites; they are exempt from this policy alone.
    package var except: Set<String>

    package init(_ reach: Reach, categories: Set<String> = [], except: Set<String> = []) {
        self.reach = reach
        self.categories = categories
        self.except = except
    }

    package static let none = CategoryPolicy(.none)
}
