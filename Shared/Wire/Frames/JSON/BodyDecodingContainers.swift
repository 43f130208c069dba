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

    func contains(_ key: Key) -> Bool { decoder.tree.member(of: decoder.index, key.stringValue) != nil }

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

    private func at(_ key: Key) throws -> Int {
        guard let index = decoder.tree.member(of: decoder.index, key.stringValue) else {
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
        guard let index = decoder.tree.member(of: decoder.index, key.stringValue),
            decoder.tree.nodes[index].kind != .null
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

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.value(type) }
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
