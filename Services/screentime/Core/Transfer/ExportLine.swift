import STContracts

/// One line of an export: an object with one member, whose name says what it is.
struct ExportLine: WireBody, Codable, Equatable {
    /// What a line can be, in the order in which they stand in a file: what others need comes first.
    enum Kind: String, CaseIterable {
        case device, member, category, list, rule, allowed, store, usage, notified, notification, request

        /// Nil for what is brought back.
        var whyLeft: String? {
            switch self {
            case .device, .member, .category, .list, .rule, .usage, .notified: nil
            case .allowed: "they come back with the rules that allow them"
            case .store: "the apps set them again, as only they may"
            case .notification: "they were told then"
            case .request: "what was granted is over"
            }
        }
    }

    /// In bytes, without its end.
    static let bytesMax = 64 * 1024
    static let version: Int64 = 1

    // What is brought back; the others are for reading.
    var device: ImportedDevice?
    var member: Member?
    var category: CategoryChoice?
    var list: ExportedList?
    var rule: RuleView?
    var usage: Segment?
    var notified: NotificationCount?

    static func text(_ kind: Kind, _ body: some WireBody) throws -> [UInt8] {
        Array("{\"\(kind.rawValue)\":".utf8) + (try body.encodedBody()) + [UInt8(ascii: "}")]
    }

    /// The name of the first member; nil when the text does not begin like an object with one.
    static func name(_ bytes: [UInt8]) -> String? {
        var rest = bytes[...]
        func skipSpace() { rest = rest.drop { [0x20, 0x09, 0x0D].contains($0) } }
        skipSpace()
        guard rest.popFirst() == UInt8(ascii: "{") else { return nil }
        skipSpace()
        guard rest.popFirst() == UInt8(ascii: "\""), let end = rest.firstIndex(of: UInt8(ascii: "\"")) else {
            return nil
        }
        return String(decoding: rest[..<end], as: UTF8.self)
    }
}
