import STPlatform

/// An enum whose values may grow: one that this version does not know decodes to `unknown` instead of failing.
package protocol WireEnum: RawRepresentable, CaseIterable, Codable, Sendable, Hashable
where RawValue == String {
    static var unknown: Self { get }
}

extension WireEnum {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self = Self(rawValue: text) ?? .unknown
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    package static var known: [String] { allCases.filter { $0 != .unknown }.map(\.rawValue) }

    /// For what a sender must get right: an unknown value is refused with the list of the known ones.
    package func required(_ field: String) throws -> Self {
        guard self == .unknown else { return self }
        throw Problem(
            "body.unknown_value",
            "This version does not know that value. Known are: \(Self.known.joined(separator: ", ")).",
            field: field
        )
    }
}
