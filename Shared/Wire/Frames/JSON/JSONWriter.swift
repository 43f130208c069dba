import STPlatform

/// Writes a JSON object member by member into one buffer.
package struct JSONWriter {
    package private(set) var bytes: [UInt8]
    private var needsComma = false

    package init(capacity: Int = 256) {
        bytes = []
        bytes.reserveCapacity(capacity)
        bytes.append(UInt8(ascii: "{"))
    }

    package mutating func field(_ name: StaticString, _ value: String) {
        key(name)
        JSONQuoting.append(value, to: &bytes)
    }

    package mutating func field(_ name: StaticString, _ value: String?) {
        if let value { field(name, value) }
    }

    package mutating func field(_ name: StaticString, _ value: Int64) {
        key(name)
        Self.append(value, to: &bytes)
    }

    package mutating func field(_ name: StaticString, _ value: Int64?) {
        if let value { field(name, value) }
    }

    package mutating func field(_ name: StaticString, _ value: Bool) {
        key(name)
        bytes.append(contentsOf: value ? Array("true".utf8) : Array("false".utf8))
    }

    /// Appends a member whose value is JSON text already.
    package mutating func raw(_ name: StaticString, _ json: some Collection<UInt8>) {
        key(name)
        bytes.append(contentsOf: json)
    }

    package mutating func null(_ name: StaticString) { raw(name, "null".utf8) }

    package consuming func finish() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    private mutating func key(_ name: StaticString) {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    package static func append(_ value: Int64, to bytes: inout [UInt8]) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        var magnitude = value.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(magnitude % 10))
            magnitude /= 10
        } while magnitude > 0
        bytes[start...].reverse()
    }
}
