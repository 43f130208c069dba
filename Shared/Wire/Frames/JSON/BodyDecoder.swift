/// Decodes payloads.
///
/// It does what Foundation's decoder does for the types that stand on the wire, at 0.4 of the cost (`bench.sh coder`), and
/// every event is decoded by every subscriber; a test holds the two against each other.
struct BodyDecoder: Decoder {
    let tree: JSONTree
    let index: Int
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func decode<T: Decodable>(_ type: T.Type, _ bytes: [UInt8]) throws -> T {
        do {
            let tree = try JSONTree(bytes)
            return try BodyDecoder(tree: tree, index: 0, codingPath: []).value(type)
        } catch is JSONFault {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "The body is not valid JSON.")
            )
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard tree.nodes[index].kind == .object else { throw mismatch([String: JSONValue].self) }
        return KeyedDecodingContainer(BodyKeyedDecoding<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard tree.nodes[index].kind == .array else { throw mismatch([JSONValue].self) }
        return BodyUnkeyedDecoding(decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { BodySingleDecoding(decoder: self) }

    func mismatch(_ type: any Any.Type) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath,
            debugDescription: "something else stands here"
        )
        return tree.nodes[index].kind == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    // MARK: - Values

    func value<T: Decodable>(_ type: T.Type) throws -> T {
        switch type {
        case is String.Type: if let value = try string() as? T { return value }
        case is Int64.Type: if let value = try integer(Int64.self) as? T { return value }
        case is Int.Type: if let value = try integer(Int.self) as? T { return value }
        case is Bool.Type: if let value = try bool() as? T { return value }
        case is Double.Type: if let value = try double() as? T { return value }
        case is JSONValue.Type: if let value = try tree.value(index) as? T { return value }
        default: break
        }
        return try T(from: self)
    }

    func string() throws -> String {
        guard tree.nodes[index].kind == .string else { throw mismatch(String.self) }
        return try tree.text(index)
    }

    func bool() throws -> Bool {
        guard tree.nodes[index].kind == .bool else { throw mismatch(Bool.self) }
        return tree.bytes[Int(tree.nodes[index].start)] == UInt8(ascii: "t")
    }

    func integer<I: FixedWidthInteger>(_ type: I.Type) throws -> I {
        guard tree.nodes[index].kind == .number else { throw mismatch(type) }
        guard let whole = tree.integer(index), let value = I(exactly: whole) else {
            let context = DecodingError.Context(
                codingPath: codingPath,
                debugDescription: "The number is not whole, or too large."
            )
            throw DecodingError.dataCorrupted(context)
        }
        return value
    }

    func double() throws -> Double {
        guard let value = tree.double(index) else { throw mismatch(Double.self) }
        return value
    }
}
