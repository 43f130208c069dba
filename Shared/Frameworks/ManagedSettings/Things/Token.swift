import Foundation

/// Stands for an app, a category or a site, without saying which.
///
/// The same thing has the same token each time, for one app on one computer. Only the service that made it can tell what it
/// means. Any bytes can be decoded; whether they mean something shows when they are used.
public struct Token<T>: Codable, Equatable, Hashable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case data
    }

    package let data: Data

    package init(data: Data) { self.data = data }

    /// Reads `{"data": …}`.
    public init(from decoder: any Decoder) throws {
        data = try decoder.container(keyedBy: CodingKeys.self).decode(Data.self, forKey: .data)
    }

    /// Writes `{"data": …}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(data, forKey: .data)
    }
}

/// Stands for an app.
public typealias ApplicationToken = Token<Application>

/// Stands for a category.
public typealias ActivityCategoryToken = Token<ActivityCategory>

/// Stands for a site.
public typealias WebDomainToken = Token<WebDomain>
