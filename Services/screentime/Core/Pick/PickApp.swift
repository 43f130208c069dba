package import STContracts
package import STDomain

/// An app that can be chosen, or was and is no longer there.
package struct PickApp: Sendable, Equatable {
    package var id: String
    package var name: String
    package var category: Category
    package var origin: AppOrigin
    package var isInstalled: Bool
    /// Its name and id as they are searched.
    let sought: String

    package init(
        id: String,
        name: String,
        category: Category,
        origin: AppOrigin = .system,
        isInstalled: Bool = true
    ) {
        self.id = id
        self.name = name
        self.category = category
        self.origin = origin
        self.isInstalled = isInstalled
        sought = PickSearch.key(name) + "\n" + PickSearch.key(id)
    }
}
