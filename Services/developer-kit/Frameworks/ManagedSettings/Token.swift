import Foundation

/// An opaque identifier of an app, a category or a site.
///
/// For one app on one computer, the same thing always has the same token. Only the service that issued a token can resolve it.
/// Any bytes can be decoded as a token. An invalid token is rejected when it is used.
public struct Token<T>: Codable, Equatable, Hashable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case data
    }

    package let data: Data

    package init(data: Data) { self.data = data }

    public init(from decoder: any Decoder) throws {
        data = try decoder.container(keyedBy: CodingKeys.self).decode(Data.self, forKey: .data)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(data, forKey: .data)
    }
}

public typealias ApplicationToken = Token<Application>

public typealias ActivityCategoryToken = Token<ActivityCategory>

public typealias WebDomainToken = Token<WebDomain>

public struct Application: Equatable, Hashable, Sendable {
    /// The id of the app, if this process is allowed to read it.
    public let bundleIdentifier: String?
    public let token: ApplicationToken?

    /// The name in the person's language, if this process is allowed to read it.
    public let localizedDisplayName: String?

    public init(bundleIdentifier: String) {
        self.init(bundleIdentifier: bundleIdentifier, token: nil, localizedDisplayName: nil)
    }

    public init(token: ApplicationToken) {
        self.init(bundleIdentifier: nil, token: token, localizedDisplayName: nil)
    }

    package init(bundleIdentifier: String?, token: ApplicationToken?, localizedDisplayName: String?) {
        self.bundleIdentifier = bundleIdentifier
        self.token = token
        self.localizedDisplayName = localizedDisplayName
    }
}

public struct ActivityCategory: Equatable, Hashable, Sendable {
    public let token: ActivityCategoryToken?

    /// The name in the person's language, if this process is allowed to read it.
    public let localizedDisplayName: String?

    public init(token: ActivityCategoryToken) { self.init(token: token, localizedDisplayName: nil) }

    package init(token: ActivityCategoryToken?, localizedDisplayName: String?) {
        self.token = token
        self.localizedDisplayName = localizedDisplayName
    }
}

public struct WebDomain: Equatable, Hashable, Sendable {
    /// The domain of the site, if this process is allowed to read it.
    public let domain: String?
    public let token: WebDomainToken?

    public init(domain: String) { self.init(domain: domain, token: nil) }

    public init(token: WebDomainToken) { self.init(domain: nil, token: token) }

    package init(domain: String?, token: WebDomainToken?) {
        self.domain = domain
        self.token = token
    }
}
