import STPlatform

struct BodyKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: BodyEncoder
    private var needsComma = false

    init(encoder: BodyEncoder) { self.encoder = encoder }

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil(forKey key: Key) {
        name(key)
        encoder.output.bytes.append(contentsOf: "null".utf8)
    }

    mutating func encode(_ value: String, forKey key: Key) {
        name(key)
        JSONQuoting.append(value, to: &encoder.output.bytes)
    }

    mutating func encode(_ value: Int64, forKey key: Key) {
        name(key)
        JSONWriter.append(value, to: &encoder.output.bytes)
    }

    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        name(key)
        try BodyEncoder.write(value, encoder.output, codingPath + [key])
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        preconditionFailure("payloads have types of their own instead of nested containers")
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        preconditionFailure("payloads have types of their own instead of nested containers")
    }

    mutating func superEncoder() -> any Encoder { encoder }

    mutating func superEncoder(forKey key: Key) -> any Encoder { encoder }

    private mutating func name(_ key: Key) {
        if needsComma { encoder.output.bytes.append(UInt8(ascii: ",")) }
        needsComma = true
        JSONQuoting.append(key.stringValue, to: &encoder.output.bytes)
        encoder.output.bytes.append(UInt8(ascii: ":"))
    }
}

struct BodyUnkeyedEncoding: UnkeyedEncodingContainer {
    let encoder: BodyEncoder
    private(set) var count = 0

    init(encoder: BodyEncoder) { self.encoder = encoder }

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil() {
        separate()
        encoder.output.bytes.append(contentsOf: "null".utf8)
    }

    mutating func encode<T: Encodable>(_ value: T) throws {
        let path = codingPath + [BodyIndexKey(intValue: count)]
        separate()
        try BodyEncoder.write(value, encoder.output, path)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<
        Nested
    > {
        preconditionFailure("payloads have types of their own instead of nested containers")
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        preconditionFailure("payloads have types of their own instead of nested containers")
    }

    mutating func superEncoder() -> any Encoder { encoder }

    private mutating func separate() {
        if count > 0 { encoder.output.bytes.append(UInt8(ascii: ",")) }
        count += 1
    }
}

struct BodySingleEncoding: SingleValueEncodingContainer {
    let encoder: BodyEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil() { encoder.output.bytes.append(contentsOf: "null".utf8) }

    mutating func encode<T: Encodable>(_ value: T) throws {
        try BodyEncoder.write(value, encoder.output, codingPath)
    }
}
