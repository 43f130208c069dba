import STPlatform

/// Decodes payloads.
///
/// Behaves like Foundation's decoder for the types of the wire, at 0.4 of the cost (`bench.sh coder`). Every subscriber decodes
/// every event. A test compares the two decoders.
struct BodyDecoder: Decoder {
    let tree: JSONTree
    let index: Int

    /// Computed only for an error, because storing a path for every value would cost more than the value.
    var codingPath: [any CodingKey] { tree.path(to: index) }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func decode<T: Decodable>(_ type: T.Type, _ bytes: [UInt8], keepsNames: Bool = false) throws -> T {
        do {
            let tree = try JSONTree(bytes, keepsNames: keepsNames)
            return try BodyDecoder(tree: tree, index: 0).value(type)
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
        return isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    // MARK: - Values

    var isNull: Bool { tree.nodes[index].kind == .null }

    var isText: Bool { tree.nodes[index].kind == .string }

    func member(_ name: StaticString) -> BodyDecoder? {
        let found = name.withUTF8Buffer { tree.member(of: index, $0) }
        return tree.nodes[index].kind == .object ? found.map { BodyDecoder(tree: tree, index: $0) } : nil
    }

    func elements() throws -> [BodyDecoder] {
        guard tree.nodes[index].kind == .array else { throw mismatch([JSONValue].self) }
        var elements: [BodyDecoder] = []
        var place = index + 1
        while place < tree.next(index) {
            elements.append(BodyDecoder(tree: tree, index: place))
            place = tree.next(place)
        }
        return elements
    }

    func members() throws -> [(String, BodyDecoder)] {
        guard tree.nodes[index].kind == .object else { throw mismatch([String: JSONValue].self) }
        var members: [(String, BodyDecoder)] = []
        var place = index + 1
        while place < tree.next(index) {
            members.append((try tree.text(place), BodyDecoder(tree: tree, index: place + 1)))
            place = tree.next(place + 1)
        }
        return members
    }

    func value<T: Decodable>(_ type: T.Type) throws -> T {
        let plain: Any
        if type == String.self {
            plain = try string()
        } else if type == Int64.self {
            plain = try integer(Int64.self)
        } else if type == Int.self {
            plain = try integer(Int.self)
        } else if type == Bool.self {
            plain = try bool()
        } else if type == Double.self {
            plain = try double()
        } else if type == JSONValue.self {
            plain = try tree.value(index)
        } else {
            return try T(from: self)
        }
        guard let value = plain as? T else { throw mismatch(type) }
        return value
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
        guard let whole = tree.integer(index), let value = I(exactly: whole) else { throw notAnInteger }
        return value
    }

    private var notAnInteger: DecodingError {
        let problem = Problem(
            "body.invalid",
            "The number has a fraction, or is too large.",
            key: "body.invalid.no-whole-number"
        )
        let context = DecodingError.Context(
            codingPath: codingPath,
            debugDescription: problem.message,
            underlyingError: problem
        )
        return .dataCorrupted(context)
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

    func decodeNil(forKey key: Key) throws -> Bool { try at(key).isNull }

    func decode(_ type: String.Type, forKey key: Key) throws -> String { try at(key).string() }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try at(key).bool() }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try at(key).integer(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try at(key).integer(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try at(key).double() }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        let value = try at(key)
        return try message(at: value, key) ?? value.value(type)
    }

    // Without these methods, the container would look up a field three times: to test if it exists, if it is null, and to read it.

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try present(key)?.string()
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try present(key)?.bool() }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try present(key)?.integer(type) }

    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try present(key)?.integer(type)
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try present(key)?.double()
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard let value = present(key) else { return nil }
        return try message(at: value, key) ?? value.value(type)
    }

    /// A message or a list of messages, completed from the member beside it. `nil` for another type.
    private func message<T>(at value: BodyDecoder, _ key: Key) throws -> T? {
        if T.self == Message.self {
            let parts = find(key.stringValue + MessageParts.suffix).map(at)
            return try MessageParts.message(value.string(), parts) as? T
        }
        guard T.self == [Message].self else { return nil }
        let texts = try value.value([String].self)
        guard let index = find(key.stringValue + MessageParts.suffixOfList),
            let parts = try? at(index).value([MessageParts].self), parts.count == texts.count
        else { return texts.map { Message(verbatim: $0) } as? T }
        return zip(texts, parts).map { $1.message($0) } as? T
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try at(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try at(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { decoder }

    func superDecoder(forKey key: Key) throws -> any Decoder { try at(key) }

    private func find(_ key: Key) -> Int? { find(key.stringValue) }

    private func at(_ index: Int) -> BodyDecoder { BodyDecoder(tree: decoder.tree, index: index) }

    private func find(_ name: String) -> Int? {
        var name = name
        return name.withUTF8 { plain in
            guard WireName.names(Key.self), !decoder.tree.keepsNames, WireName.hasCapitals(plain) else {
                return decoder.tree.member(of: decoder.index, plain)
            }
            // Version 0.5 stored some states with their Swift names.
            return WireName.withMapped(plain) { decoder.tree.member(of: decoder.index, $0) }
                ?? (decoder.tree.hasCapitals ? decoder.tree.member(of: decoder.index, plain) : nil)
        }
    }

    private func at(_ key: Key) throws -> BodyDecoder {
        guard let index = find(key) else {
            let context = DecodingError.Context(
                codingPath: codingPath,
                debugDescription: "The field is missing."
            )
            throw DecodingError.keyNotFound(key, context)
        }
        return BodyDecoder(tree: decoder.tree, index: index)
    }

    private func present(_ key: Key) -> BodyDecoder? {
        guard let index = find(key) else { return nil }
        let value = BodyDecoder(tree: decoder.tree, index: index)
        return value.isNull ? nil : value
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
        return BodyDecoder(tree: decoder.tree, index: position)
    }
}

struct BodySingleDecoding: SingleValueDecodingContainer {
    let decoder: BodyDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.isNull }

    func decode(_ type: String.Type) throws -> String { try decoder.string() }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        // The initialisers of the other number types call this container, so decode them here to avoid endless recursion.
        if let whole = type as? any FixedWidthInteger.Type, let value = try decoder.integer(whole) as? T {
            return value
        }
        if type is Float.Type, let value = Float(try decoder.double()) as? T { return value }
        return try decoder.value(type)
    }
}

/// A step of the path to a value: the name of a member in the document, or the index in a list.
enum BodyPathKey: CodingKey {
    case name(String)
    case place(Int)

    init(stringValue: String) { self = .name(stringValue) }
    init(intValue: Int) { self = .place(intValue) }

    var stringValue: String {
        switch self {
        case .name(let name): name
        case .place(let place): String(place)
        }
    }

    var intValue: Int? {
        if case .place(let place) = self { place } else { nil }
    }
}

extension JSONTree {
    fileprivate func path(to wanted: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var parent = 0
        while parent < wanted {
            let isObject = nodes[parent].kind == .object
            var (child, place) = (parent + 1, 0)
            // The value of a member follows its key.
            while next(isObject ? child + 1 : child) <= wanted {
                child = next(isObject ? child + 1 : child)
                place += 1
            }
            path.append(
                isObject
                    ? BodyPathKey.name((try? text(child)) ?? "") : BodyPathKey.place(place)
            )
            parent = isObject ? child + 1 : child
        }
        return path
    }
}
