/// An app that can be watched or shielded.
public struct Application: Equatable, Hashable, Sendable {
    /// Its id, where this process may know it.
    public let bundleIdentifier: String?

    /// What stands for it.
    public let token: ApplicationToken?

    /// Its name in the person's language, where this process may know it.
    public let localizedDisplayName: String?

    /// The app of that id.
    public init(bundleIdentifier: String) {
        self.init(bundleIdentifier: bundleIdentifier, token: nil, localizedDisplayName: nil)
    }

    /// The app that the token stands for.
    public init(token: ApplicationToken) {
        self.init(bundleIdentifier: nil, token: token, localizedDisplayName: nil)
    }

    package init(bundleIdentifier: String?, token: ApplicationToken?, localizedDisplayName: String?) {
        self.bundleIdentifier = bundleIdentifier
        self.token = token
        self.localizedDisplayName = localizedDisplayName
    }
}
