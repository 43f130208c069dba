import STPlatform

/// Encodes payloads, members in the order in which the type writes them, straight into one buffer.
final class BodyEncoder: Encoder {
    /// What the values of one document share.
    final class Output {
        var bytes: [UInt8] = []
        /// The first value that JSON has no word for.
        var fault: EncodingError?
    }

    let output: Output
    let codingPath: [any CodingKey]
    /// What ends the value that is being written, once its type has asked for a container.
    fileprivate var closing: UInt8?

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    private init(_ output: Output, _ codingPath: [any CodingKey]) {
        self.output = output
        self.codingPath = codingPath
    }

    static func encode<T: Encodable>(_ value: T) throws -> [UInt8] {
        let output = Output()
        output.bytes.reserveCapacity(512)
        try write(value, output, [])
        if let fault = output.fault { throw fault }
        return output.bytes
    }

    static func write<T: Encodable>(_ value: T, _ output: Output, _ path: [any CodingKey]) throws {
        switch value {
        case let value as String: JSONQuoting.append(value, to: &output.bytes)
        case let value as Int64: JSONWriter.append(value, to: &output.bytes)
        case let value as Int: JSONWriter.append(Int64(value), to: &output.bytes)
        case let value as Bool: output.bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case let value as Double: number(value, output, path)
        case let value as JSONValue: value.append(to: &output.bytes)
        case let value as any BodyMap: try value.write(output, path)
        default:
            let encoder = BodyEncoder(output, path)
            try value.encode(to: encoder)
            if let closing = encoder.closing { output.bytes.append(closing) }
        }
    }

    static func number(_ value: Double, _ output: Output, _ path: [any CodingKey]) {
        guard value.isFinite else {
            let context = EncodingError.Context(
                codingPath: path,
                debugDescription: "JSON has no word for \(value)."
            )
            output.fault = output.fault ?? .invalidValue(value, context)
            return output.bytes.append(contentsOf: "null".utf8)
        }
        output.bytes.append(contentsOf: "\(value)".utf8)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        open(UInt8(ascii: "{"), UInt8(ascii: "}"))
        return KeyedEncodingContainer(BodyKeyedEncoding<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        open(UInt8(ascii: "["), UInt8(ascii: "]"))
        return BodyUnkeyedEncoding(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { BodySingleEncoding(encoder: self) }

    private func open(_ opening: UInt8, _ closing: UInt8) {
        precondition(self.closing == nil, "a payload asks for one container only")
        output.bytes.append(opening)
        self.closing = closing
    }
}

/// Maps are written in order of their keys: a request that is made again for a repeat must have the same bytes,
/// because the server compares them to tell a repeat from a key used twice.
protocol BodyMap {
    func write(_ output: BodyEncoder.Output, _ path: [any CodingKey]) throws
}

extension Dictionary: BodyMap where Key == String, Value: Encodable {
    func write(_ output: BodyEncoder.Output, _ path: [any CodingKey]) throws {
        output.bytes.append(UInt8(ascii: "{"))
        for (index, member) in sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { output.bytes.append(UInt8(ascii: ",")) }
            JSONQuoting.append(member.key, to: &output.bytes)
            output.bytes.append(UInt8(ascii: ":"))
            try BodyEncoder.write(member.value, output, path)
        }
        output.bytes.append(UInt8(ascii: "}"))
    }
}
