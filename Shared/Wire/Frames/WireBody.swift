package import STPlatform

/// What can stand in a body frame.
///
/// Codable types get both directions for nothing; a hot or odd one writes its own.
package protocol WireBody: Sendable {
    func encodedBody() throws -> [UInt8]
    static func decodedBody(_ bytes: [UInt8]) throws -> Self
    static var schema: JSONValue { get }
    /// Whether keys stand in the text as Swift has them, for formats of others; ours have them in snake case.
    static var keepsNames: Bool { get }
}

extension WireBody {
    package static var keepsNames: Bool { false }
}

extension WireBody where Self: Codable {
    package func encodedBody() throws -> [UInt8] {
        try BodyEncoder.encode(self, keepsNames: Self.keepsNames)
    }

    package static func decodedBody(_ bytes: [UInt8]) throws -> Self {
        do {
            return try BodyDecoder.decode(Self.self, bytes, keepsNames: keepsNames)
        } catch let error as DecodingError {
            throw BodyProblem.explain(error, keepsNames: keepsNames)
        }
    }

    package static var schema: JSONValue { SchemaRecorder.schema(of: Self.self) }
}

/// For routes that take or give nothing.
package struct Empty: WireBody, Codable, Equatable {
    package init() {}
}

extension Problem: WireBody {}

extension Problem: Codable {
    private enum CodingKeys: String, CodingKey {
        case code, message, field, retryable, help, details
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(String.self, forKey: .code),
            try container.decodeIfPresent(String.self, forKey: .message) ?? "",
            field: try container.decodeIfPresent(String.self, forKey: .field),
            retryable: try container.decodeIfPresent(Bool.self, forKey: .retryable) ?? false,
            help: try container.decodeIfPresent(String.self, forKey: .help),
            details: try container.decodeIfPresent([String: String].self, forKey: .details) ?? [:]
        )
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code, forKey: .code)
        try container.encode(message, forKey: .message)
        try container.encodeIfPresent(field, forKey: .field)
        try container.encode(retryable, forKey: .retryable)
        try container.encodeIfPresent(help, forKey: .help)
        if !details.isEmpty { try container.encode(details, forKey: .details) }
    }
}
