/// What one type asked its decoder for.
final class SchemaNotes {
    private var properties: [String: JSONValue] = [:]
    private var required: [String] = []
    private var replacement: JSONValue?

    func note<T: Decodable>(_ key: String, _ type: T.Type, isRequired: Bool) {
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
    let notes: SchemaNotes
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RecordingKeyed<Key>(notes: notes, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        // Lists are described through SchemaList before any type gets to ask for this.
        throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "a list by hand"))
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        RecordingSingle(notes: notes, codingPath: codingPath)
    }
}

private struct RecordingKeyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let notes: SchemaNotes
    let codingPath: [any CodingKey]

    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool { true }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        notes.note(key.stringValue, type, isRequired: true)
        return try SchemaRecorder.sample(type)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) -> T? {
        notes.note(key.stringValue, type, isRequired: false)
        return nil
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) -> Bool? { optional(type, key) }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) -> String? { optional(type, key) }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) -> Int? { optional(type, key) }

    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) -> Int64? { optional(type, key) }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) -> Double? { optional(type, key) }

    private func optional<T: Decodable>(_ type: T.Type, _ key: Key) -> T? {
        notes.note(key.stringValue, type, isRequired: false)
        return nil
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(RecordingKeyed<Nested>(notes: SchemaNotes(), codingPath: codingPath + [key]))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try superDecoder().unkeyedContainer()
    }

    func superDecoder() -> any Decoder { RecordingDecoder(notes: notes, codingPath: codingPath) }

    func superDecoder(forKey key: Key) -> any Decoder { superDecoder() }
}

private struct RecordingSingle: SingleValueDecodingContainer {
    let notes: SchemaNotes
    let codingPath: [any CodingKey]

    func decodeNil() -> Bool { false }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        notes.replace(SchemaRecorder.schema(of: type))
        return try SchemaRecorder.sample(type)
    }
}
