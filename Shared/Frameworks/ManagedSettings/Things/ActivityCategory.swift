/// A category of apps and sites.
public struct ActivityCategory: Equatable, Hashable, Sendable {
    /// What stands for it.
    public let token: ActivityCategoryToken?

    /// Its name in the person's language, where this process may know it.
    public let localizedDisplayName: String?

    /// The category that the token stands for.
    public init(token: ActivityCategoryToken) { self.init(token: token, localizedDisplayName: nil) }

    package init(token: ActivityCategoryToken?, localizedDisplayName: String?) {
        self.token = token
        self.localizedDisplayName = localizedDisplayName
    }
}
