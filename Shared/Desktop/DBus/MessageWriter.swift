import STCSystemd
import STPlatform

/// Puts values into a message of sd-bus.
struct MessageWriter {
    let message: OpaquePointer

    func append(_ values: [DBusValue]) throws(Problem) {
        for value in values { try append(value) }
    }

    private func append(_ value: DBusValue) throws(Problem) {
        switch value {
        case .bool(let flag): try basic("b", Int32(flag ? 1 : 0))
        case .byte(let number): try basic("y", number)
        case .int32(let number): try basic("i", number)
        case .uint32(let number): try basic("u", number)
        case .int64(let number): try basic("x", number)
        case .uint64(let number): try basic("t", number)
        case .double(let number): try basic("d", number)
        case .string(let text): try self.text("s", text)
        case .objectPath(let text): try self.text("o", text)
        case .descriptor(let file): try basic("h", file.number)
        case .array(let element, let values):
            try container("a", element) { () throws(Problem) in try append(values) }
        case .variant(let value):
            try container("v", value.signature) { () throws(Problem) in try append(value) }
        case .structure(let fields):
            let contents = fields.map(\.signature).joined()
            try container("r", contents) { () throws(Problem) in try append(fields) }
        case .dictionary(let kind, let entries):
            try container("a", "{s\(kind)}") { () throws(Problem) in
                for (key, value) in entries {
                    try container("e", "s\(kind)") { () throws(Problem) in
                        try text("s", key)
                        try append(value)
                    }
                }
            }
        }
    }

    private func basic<T>(_ type: Unicode.Scalar, _ value: T) throws(Problem) {
        let code = withUnsafePointer(to: value) {
            sd_bus_message_append_basic(message, CChar(type.value), $0)
        }
        try Self.check(code, "append")
    }

    private func text(_ type: Unicode.Scalar, _ text: String) throws(Problem) {
        // A text ends at a zero byte for the bus, and half a text would be another one.
        guard !text.utf8.contains(0) else {
            throw Problem("dbus.bad_value", "A text for the desktop may hold no zero byte.")
        }
        try Self.check(sd_bus_message_append_basic(message, CChar(type.value), text), "append")
    }

    private func container(_ type: Unicode.Scalar, _ contents: String, _ fill: () throws(Problem) -> Void)
        throws(Problem)
    {
        try Self.check(sd_bus_message_open_container(message, CChar(type.value), contents), "open_container")
        try fill()
        try Self.check(sd_bus_message_close_container(message), "close_container")
    }

    static func check(_ code: Int32, _ what: String) throws(Problem) {
        guard code < 0 else { return }
        throw Problem("dbus.bad_value", "A message for the desktop could not be made (\(what): \(-code)).")
    }
}
