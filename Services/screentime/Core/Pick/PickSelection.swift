package import STContracts
import STDomain
import STPlatform

/// What was chosen, by names.
package struct PickSelection: Sendable, Equatable {
    package var apps: Set<String> = []
    package var categories: Set<String> = []
    package var sites: Set<String> = []
    /// Apple's word for it: choosing a category also chooses all that is in it.
    package var includesEntireCategories = false

    package init() {}

    package var isEmpty: Bool { apps.isEmpty && categories.isEmpty && sites.isEmpty }

    /// In the order of their names, so that the same choice is always the same file.
    package var items: [TokenItem] {
        apps.sorted().map { TokenItem(kind: .application, id: $0) }
            + categories.sorted().map { TokenItem(kind: .category, id: $0) }
            + sites.sorted().map { TokenItem(kind: .domain, id: $0) }
    }

    package mutating func add(_ items: [TokenItem]) {
        for item in items {
            switch item.kind {
            case .application: apps.insert(item.id)
            case .category: categories.insert(item.id)
            case .domain: sites.insert(item.id)
            case .unknown: break
            }
        }
    }
}
