import STPlatform

/// Encodes payloads directly into one buffer, with members in the order in which the type encodes them.
final class BodyEncoder: Encoder {
    /// The state that all values of one document share.
    final class Output {
        var bytes: [UInt8] = []
        let keepsNames: Bool
        /// The problem of the first value that JSON cannot express.
        var fault: Problem?

        init(keepsNames: Bool) {
            self.keepsNames = keepsNames
            bytes.reserveCapacity(512)
        }

        func write(_ value: Bool) { bytes.append(contentsOf: (value ? "true" : "false").utf8) }
    }

    let output: Output
    private let parent: BodyEncoder?
    private let key: (any CodingKey)?
    /// The closing bracket of the current value, once its type has requested a container.
    fileprivate var closing: UInt8?

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Computed only for an error, because storing a path for every value would cost more than the value.
    var codingPath: [any CodingKey] { (parent?.codingPath ?? []) + [key].compactMap(\.self) }

    private init(_ output: Output, parent: BodyEncoder?, key: (any CodingKey)?) {
        self.output = output
        self.parent = parent
        self.key = key
    }

    static func encode<T: Encodable>(_ value: T, keepsNames: Bool = false) throws -> [UInt8] {
        let output = Output(keepsNames: keepsNames)
        try write(value, output: output, parent: nil, key: nil)
        if let fault = output.fault { throw fault }
        return output.bytes
    }

    static func write<T: Encodable>(
        _ value: T,
        output: Output,
        parent: BodyEncoder?,
        key: (any CodingKey)?
    ) throws {
        // Compare the types first, because a cast to each of them takes longer than encoding the value.
        if T.self == String.self, let value = value as? String {
            JSONQuoting.append(value, to: &output.bytes)
        } else if T.self == Int64.self, let value = value as? Int64 {
            JSONWriter.append(value, to: &output.bytes)
        } else if T.self == Int.self, let value = value as? Int {
            JSONWriter.append(Int64(value), to: &output.bytes)
        } else if T.self == Bool.self, let value = value as? Bool {
            output.write(value)
        } else if T.self == Double.self, let value = value as? Double {
            BodyEncoder(output, parent: parent, key: key).number(value)
        } else if T.self == JSONValue.self, let value = value as? JSONValue {
            value.append(to: &output.bytes)
        } else {
            let encoder = BodyEncoder(output, parent: parent, key: key)
            if let map = value as? any BodyMap { return try map.write(encoder) }
            try value.encode(to: encoder)
            if let closing = encoder.closing { output.bytes.append(closing) }
        }
    }

    func number(_ value: Double) {
        guard value.isFinite else {
            output.fault = output.fault ?? unwritable(value)
            return output.bytes.append(contentsOf: "null".utf8)
        }
        output.bytes.append(contentsOf: "\(value)".utf8)
    }

    /// The problem of a number that receivers cannot read.
    fileprivate func unwritable(_ number: some CustomStringConvertible) -> Problem {
        let path = codingPath.map { "/" + $0.stringValue }.joined()
        return Problem(
            "internal",
            "The number \(number, "number") cannot be sent as JSON.",
            key: "internal.number-cannot-be-sent",
            field: path.isEmpty ? nil : path
        )
    }

    /// Returns a keyed container. A second container adds its members to the same object. A type can therefore encode the members
    /// of another type beside its own.
    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if closing != UInt8(ascii: "}") { open(UInt8(ascii: "{"), UInt8(ascii: "}")) }
        return KeyedEncodingContainer(BodyKeyedEncoding<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        open(UInt8(ascii: "["), UInt8(ascii: "]"))
        return BodyUnkeyedEncoding(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { BodySingleEncoding(encoder: self) }

    private func open(_ opening: UInt8, _ closing: UInt8) {
        precondition(self.closing == nil, "a payload is one object or one list")
        output.bytes.append(opening)
        self.closing = closing
    }
}

/// A map, encoded in the order of its keys. A retried request must have the same bytes, because the server compares them to
/// distinguish a retry from a reused key.
protocol BodyMap {
    func write(_ encoder: BodyEncoder) throws
}

extension Dictionary: BodyMap where Key == String, Value: Encodable {
    func write(_ encoder: BodyEncoder) throws {
        let output = encoder.output
        output.bytes.append(UInt8(ascii: "{"))
        for (index, member) in sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { output.bytes.append(UInt8(ascii: ",")) }
            JSONQuoting.append(member.key, to: &output.bytes)
            output.bytes.append(UInt8(ascii: ":"))
            try BodyEncoder.write(
                member.value,
                output: output,
                parent: encoder,
                key: BodyPathKey.name(member.key)
            )
        }
        output.bytes.append(UInt8(ascii: "}"))
    }
}

struct BodyKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: BodyEncoder
    private let isName = WireName.names(Key.self)
    private var needsComma: Bool

    init(encoder: BodyEncoder) {
        self.encoder = encoder
        needsComma = encoder.output.bytes.last != UInt8(ascii: "{")
    }

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

    mutating func encode(_ value: Bool, forKey key: Key) {
        name(key)
        encoder.output.write(value)
    }

    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        name(key)
        try BodyEncoder.write(value, output: encoder.output, parent: encoder, key: key)
        if T.self == Message.self, let message = value as? Message {
            guard !message.key.isEmpty else { return }
            name(key.stringValue + MessageParts.suffix)
            try BodyEncoder.write(MessageParts(message), output: encoder.output, parent: encoder, key: key)
        } else if T.self == [Message].self, let messages = value as? [Message] {
            guard messages.contains(where: { !$0.key.isEmpty }) else { return }
            name(key.stringValue + MessageParts.suffixOfList)
            try BodyEncoder.write(
                messages.map { MessageParts($0) },
                output: encoder.output,
                parent: encoder,
                key: key
            )
        }
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

    private mutating func name(_ key: Key) { name(key.stringValue) }

    private mutating func name(_ name: String) {
        let isMapped = isName && !encoder.output.keepsNames
        Self.append(name, isMapped: isMapped, needsComma, to: &encoder.output.bytes)
        needsComma = true
    }

    /// Appends everything in one call, because Swift checks each access to a class property for exclusivity at run time.
    private static func append(_ name: String, isMapped: Bool, _ needsComma: Bool, to bytes: inout [UInt8]) {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        if isMapped {
            bytes.append(UInt8(ascii: "\""))
            WireName.append(name, to: &bytes)
            bytes.append(UInt8(ascii: "\""))
        } else {
            JSONQuoting.append(name, to: &bytes)
        }
        bytes.append(UInt8(ascii: ":"))
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
        separate()
        try BodyEncoder.write(
            value,
            output: encoder.output,
            parent: encoder,
            key: BodyPathKey.place(count - 1)
        )
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
        // The encoders of the other number types call this container, so encode them here to avoid endless recursion.
        if let float = value as? Float {
            return encoder.number(Double(float))
        }
        guard let whole = value as? any FixedWidthInteger else {
            return try BodyEncoder.write(value, output: encoder.output, parent: encoder, key: nil)
        }
        guard let number = Int64(exactly: whole) else { throw encoder.unwritable(whole) }
        JSONWriter.append(number, to: &encoder.output.bytes)
    }
}
