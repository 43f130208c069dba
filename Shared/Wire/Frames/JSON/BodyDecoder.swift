/// Decodes payloads.
///
/// It does what Foundation's decoder does for the types that stand on the wire, at 0.4 of the cost (`bench.sh coder`), and
/// every event is decoded by every subscriber; a test holds the two against each other.
struct BodyDecoder: Decoder {
    let tree: JSONTree
    let index: Int
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func decode<T: Decodable>(_ type: T.Type, _ bytes: [UInt8], keepsNames: Bool = false) throws -> T {
        do {
            let tree = try JSONTree(bytes, keepsNames: keepsNames)
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
            debugDescription: "the value is of another type"
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

struct BodyKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: BodyDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] {
        let tree = decoder.tree
        var keys: [Key] = []
        var index = decoder.index + 1
        while index < tree.next(decoder.index) {
            if let text = try? tree.text(index), let key = Key(stringValue: text) { keys.append(key) }
            index = tree.next(index + 1)
        }
        return keys
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { decoder.tree.nodes[try at(key)].kind == .null }

    // For plain values no decoder is made: its path is a list of its own, and only an error needs it.

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        let index = try at(key)
        guard decoder.tree.nodes[index].kind == .string else { throw child(key, index).mismatch(type) }
        return try decoder.tree.text(index)
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try child(key, try at(key)).bool() }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        let index = try at(key)
        guard let value = decoder.tree.integer(index) else { return try child(key, index).integer(type) }
        return Int(value)
    }

    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        let index = try at(key)
        guard let value = decoder.tree.integer(index) else { return try child(key, index).integer(type) }
        return value
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try child(key, try at(key)).double()
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try child(key, try at(key)).value(type)
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        guard let index = present(key) else { return nil }
        guard decoder.tree.nodes[index].kind == .string else { throw child(key, index).mismatch(type) }
        return try decoder.tree.text(index)
    }

    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        guard let index = present(key) else { return nil }
        return try child(key, index).integer(type)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard let index = present(key) else { return nil }
        return try child(key, index).value(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try child(key, try at(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try child(key, try at(key)).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { decoder }

    func superDecoder(forKey key: Key) throws -> any Decoder { child(key, try at(key)) }

    private func find(_ key: Key) -> Int? {
        var name = key.stringValue
        return name.withUTF8 { plain in
            guard WireName.names(Key.self), !decoder.tree.keepsNames, WireName.hasCapitals(plain) else {
                return decoder.tree.member(of: decoder.index, plain)
            }
            // Version 0.5 kept some states of its own under their Swift names.
            return WireName.withMapped(plain) { decoder.tree.member(of: decoder.index, $0) }
                ?? (decoder.tree.hasCapitals ? decoder.tree.member(of: decoder.index, plain) : nil)
        }
    }

    private func at(_ key: Key) throws -> Int {
        guard let index = find(key) else {
            let context = DecodingError.Context(
                codingPath: codingPath,
                debugDescription: "The field is missing."
            )
            throw DecodingError.keyNotFound(key, context)
        }
        return index
    }

    private func child(_ key: Key, _ index: Int) -> BodyDecoder {
        BodyDecoder(tree: decoder.tree, index: index, codingPath: codingPath + [key])
    }

    private func present(_ key: Key) -> Int? {
        guard let index = find(key), decoder.tree.nodes[index].kind != .null
        else { return nil }
        return index
    }
}

struct BodyUnkeyedDecoding: UnkeyedDecodingContainer {
    private let decoder: BodyDecoder
    private let end: Int
    private var position: Int
    private(set) var currentIndex = 0
    let count: Int?

    init(decoder: BodyDecoder) {
        self.decoder = decoder
        end = decoder.tree.next(decoder.index)
        position = decoder.index + 1
        var count = 0
        var index = position
        while index < end {
            count += 1
            index = decoder.tree.next(index)
        }
        self.count = count
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var isAtEnd: Bool { position >= end }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, decoder.tree.nodes[position].kind == .null else { return false }
        advance()
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try element().value(type)
        advance()
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        defer { advance() }
        return try element().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        defer { advance() }
        return try element().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
        defer { advance() }
        return try element()
    }

    private mutating func advance() {
        position = decoder.tree.next(position)
        currentIndex += 1
    }

    private func element() throws -> BodyDecoder {
        guard !isAtEnd else {
            let context = DecodingError.Context(
                codingPath: codingPath,
                debugDescription: "The list ends here."
            )
            throw DecodingError.valueNotFound(JSONValue.self, context)
        }
        return BodyDecoder(
            tree: decoder.tree,
            index: position,
            codingPath: codingPath + [BodyIndexKey(intValue: currentIndex)]
        )
    }
}

struct BodySingleDecoding: SingleValueDecodingContainer {
    let decoder: BodyDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.tree.nodes[decoder.index].kind == .null }

    func decode(_ type: String.Type) throws -> String { try decoder.string() }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        // Numbers of the other sizes ask this container for themselves: it would ask them again without end.
        if let whole = type as? any FixedWidthInteger.Type, let value = try decoder.integer(whole) as? T {
            return value
        }
        if type is Float.Type, let value = Float(try decoder.double()) as? T { return value }
        return try decoder.value(type)
    }
}

/// The place of an element in a list, as a step of a path.
struct BodyIndexKey: CodingKey {
    let number: Int

    init(intValue: Int) { number = intValue }

    init?(stringValue: String) {
        guard let number = Int(stringValue) else { return nil }
        self.number = number
    }

    var stringValue: String { String(number) }
    var intValue: Int? { number }
}
