import STPlatform

/// Derives a JSON Schema from a Codable type, by decoding the type from a decoder that only records its requests.
///
/// The schema therefore always matches the code. Enums that may get further values describe themselves.
package enum SchemaRecorder {
    package static func schema<T: Decodable>(of type: T.Type) -> JSONValue {
        if let known = described(type) { return known }
        let notes = SchemaCollector()
        _ = try? T(from: RecordingDecoder(collector: notes, codingPath: []))
        return notes.schema
    }

    /// The schema of a type that is not derived from its decoding.
    static func described<T>(_ type: T.Type) -> JSONValue? {
        switch type {
        case is JSONValue.Type: return [:]
        case is String.Type, is Message.Type: return ["type": "string"]
        case is MessageParts.Type: return MessageParts.schema
        case is Bool.Type: return ["type": "boolean"]
        case is any BinaryInteger.Type: return ["type": "integer"]
        case is any BinaryFloatingPoint.Type: return ["type": "number"]
        case let type as any WireEnum.Type: return enumeration(type)
        case let type as any SchemaList.Type: return ["type": "array", "items": type.elementSchema]
        case let type as any SchemaMap.Type:
            return ["type": "object", "additionalProperties": type.valueSchema]
        default: return nil
        }
    }

    private static func enumeration<T: WireEnum>(_ type: T.Type) -> JSONValue {
        // Not an `enum` schema, because a value that a later version adds must be valid against an older document.
        ["type": "string", "examples": .array(T.known.map { .string($0) })]
    }

    /// A sample value, so that the type's own initializer continues to its next field.
    static func sample<T: Decodable>(_ type: T.Type) throws -> T {
        switch type {
        case is String.Type: if let value = "" as? T { return value }
        case is Message.Type: if let value = Message(verbatim: "") as? T { return value }
        case is Bool.Type: if let value = false as? T { return value }
        case let whole as any BinaryInteger.Type: if let value = whole.init(0) as? T { return value }
        case let number as any BinaryFloatingPoint.Type: if let value = number.init(0) as? T { return value }
        case let list as any SchemaList.Type: if let value = list.sample as? T { return value }
        case let map as any SchemaMap.Type: if let value = map.sample as? T { return value }
        default: break
        }
        return try T(from: RecordingDecoder(collector: SchemaCollector(), codingPath: []))
    }
}

protocol SchemaList {
    static var elementSchema: JSONValue { get }
    static var sample: Any { get }
}

extension Array: SchemaList where Element: Decodable {
    static var elementSchema: JSONValue { SchemaRecorder.schema(of: Element.self) }
    static var sample: Any { Self() }
}

protocol SchemaMap {
    static var valueSchema: JSONValue { get }
    static var sample: Any { get }
}

extension Dictionary: SchemaMap where Key == String, Value: Decodable {
    static var valueSchema: JSONValue { SchemaRecorder.schema(of: Value.self) }
    static var sample: Any { Self() }
}

/// The fields that one type has requested from its decoder.
final class SchemaCollector {
    private var properties: [String: JSONValue] = [:]
    private var required: [String] = []
    private var replacement: JSONValue?

    func record<T: Decodable>(_ key: String, _ type: T.Type, isRequired: Bool) {
        properties[key] = SchemaRecorder.schema(of: type)
        if isRequired { required.append(key) }
    }

    func replace(_ schema: JSONValue) { replacement = schema }

    var schema: JSONValue {
        if let replacement { return replacement }
        var members: [String: JSONValue] = ["type": "object", "properties": .object(properties)]
        if !required.isEmpty { members["required"] = .array(required.sorted().map { .string($0) }) }
        return .object(members)
    }
}

struct RecordingDecoder: Decoder {
    let collector: SchemaCollector
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RecordingKeyed<Key>(collector: collector, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        // `SchemaList` describes lists, so only a type that decodes a list by hand calls this.
        throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "a list by hand"))
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        RecordingSingle(collector: collector, codingPath: codingPath)
    }
}

private struct RecordingKeyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let collector: SchemaCollector
    let codingPath: [any CodingKey]

    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool { true }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        record(type, key, isRequired: true)
        return try SchemaRecorder.sample(type)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) -> T? { optional(type, key) }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) -> Bool? { optional(type, key) }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) -> String? { optional(type, key) }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) -> Int? { optional(type, key) }

    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) -> Int8? { optional(type, key) }

    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) -> Int16? { optional(type, key) }

    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) -> Int32? { optional(type, key) }

    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) -> Int64? { optional(type, key) }

    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) -> UInt? { optional(type, key) }

    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) -> UInt8? { optional(type, key) }

    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) -> UInt16? { optional(type, key) }

    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) -> UInt32? { optional(type, key) }

    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) -> UInt64? { optional(type, key) }

    func decodeIfPresent(_ type: Float.Type, forKey key: Key) -> Float? { optional(type, key) }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) -> Double? { optional(type, key) }

    private func optional<T: Decodable>(_ type: T.Type, _ key: Key) -> T? {
        record(type, key, isRequired: false)
        return nil
    }

    private func record<T: Decodable>(_ type: T.Type, _ key: Key, isRequired: Bool) {
        let name = key.wireName(keepsNames: false)
        collector.record(name, type, isRequired: isRequired)
        if T.self == Message.self {
            collector.record(name + "_message", MessageParts.self, isRequired: false)
        } else if T.self == [Message].self {
            collector.record(name + "_messages", [MessageParts].self, isRequired: false)
        }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(
            RecordingKeyed<Nested>(collector: SchemaCollector(), codingPath: codingPath + [key])
        )
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try superDecoder().unkeyedContainer()
    }

    func superDecoder() -> any Decoder { RecordingDecoder(collector: collector, codingPath: codingPath) }

    func superDecoder(forKey key: Key) -> any Decoder { superDecoder() }
}

private struct RecordingSingle: SingleValueDecodingContainer {
    let collector: SchemaCollector
    let codingPath: [any CodingKey]

    func decodeNil() -> Bool { false }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        collector.replace(SchemaRecorder.schema(of: type))
        return try SchemaRecorder.sample(type)
    }
}
