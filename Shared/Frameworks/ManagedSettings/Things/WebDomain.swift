/// A site that can be watched or shielded.
public struct WebDomain: Equatable, Hashable, Sendable {
    /// Its name, where this process may know it.
    public let domain: String?

    /// What stands for it.
    public let token: WebDomainToken?

    /// The site of that name.
    public init(domain: String) { self.init(domain: domain, token: nil) }

    /// The site that the token stands for.
    public init(token: WebDomainToken) { self.init(domain: nil, token: token) }

    package init(domain: String?, token: WebDomainToken?) {
        self.domain = domain
        self.token = token
    }
}
