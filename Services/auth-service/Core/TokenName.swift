import STContracts
import STPlatform

/// What stands inside of a token: a byte for the kind, then the canonical name.
enum TokenName {
    private static let appBytesMax = 128
    /// The longest name that DNS knows.
    private static let domainBytesMax = 253

    static func bytes(of item: TokenItem, field: String) throws -> [UInt8] {
        let kind = try item.kind.required("\(field)/kind")
        let limit = kind == .domain ? domainBytesMax : appBytesMax
        let isSpaced = item.id.unicodeScalars.contains { $0.properties.isWhitespace }
        guard (1...limit).contains(item.id.utf8.count), TextLimit.isPlain(item.id),
            kind != .domain || (!isSpaced && item.id == item.id.lowercased())
        else {
            throw Problem(
                "token.bad_name",
                kind == .domain
                    ? "A domain has 1 to \(limit) bytes, in small letters and without spaces."
                    : "A name has 1 to \(limit) bytes and no control characters.",
                field: "\(field)/id"
            )
        }
        return [byte(kind)] + Array(item.id.utf8)
    }

    static func item(of bytes: [UInt8]) -> TokenItem? {
        guard let first = bytes.first, let kind = kind(first),
            let id = String(validating: bytes.dropFirst(), as: UTF8.self)
        else { return nil }
        return TokenItem(kind: kind, id: id)
    }

    private static func byte(_ kind: TokenKind) -> UInt8 {
        switch kind {
        case .application: 1
        case .category: 2
        case .domain: 3
        case .unknown: 0
        }
    }

    private static func kind(_ byte: UInt8) -> TokenKind? {
        switch byte {
        case 1: .application
        case 2: .category
        case 3: .domain
        default: nil
        }
    }
}
