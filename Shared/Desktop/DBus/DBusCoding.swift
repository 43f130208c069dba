import Glibc
import STCSystemd
import STPlatform

/// Reads values of any type from a message of sd-bus.
struct DBusReader {
    /// Upper bound on values in one message. Other programs send the messages, and no message that is used here has more values.
    static let valuesMax = 20_000
    static let textBytesMax = 1 << 20

    let message: OpaquePointer
    private var valuesLeft = valuesMax
    private var textBytesLeft = textBytesMax

    init(message: OpaquePointer) { self.message = message }

    static func values(of message: OpaquePointer) throws(Problem) -> [DBusValue] {
        var reader = DBusReader(message: message)
        return try reader.rest(depth: 0)
    }

    private mutating func rest(depth: Int) throws(Problem) -> [DBusValue] {
        var values: [DBusValue] = []
        while let value = try next(depth: depth) { values.append(value) }
        return values
    }

    /// Returns `nil` at the end of the message or of the open container.
    private mutating func next(depth: Int) throws(Problem) -> DBusValue? {
        guard depth <= DBusValue.depthMax else { throw Self.unreadable("nested too deeply") }
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        let code = sd_bus_message_peek_type(message, &type, &contents)
        guard code >= 0 else { throw Self.unreadable("error \(-code)") }
        guard code > 0 else { return nil }
        valuesLeft -= 1
        guard valuesLeft >= 0 else { throw Self.unreadable("it holds too much") }
        let inner = contents.map { String(cString: $0) } ?? ""
        switch Unicode.Scalar(UInt8(bitPattern: type)) {
        case "b": return .bool(try basic(type, Int32(0)) != 0)
        case "y": return .byte(try basic(type, UInt8(0)))
        case "i": return .int32(try basic(type, Int32(0)))
        case "u": return .uint32(try basic(type, UInt32(0)))
        case "n": return .int32(Int32(try basic(type, Int16(0))))
        case "q": return .uint32(UInt32(try basic(type, UInt16(0))))
        case "x": return .int64(try basic(type, Int64(0)))
        case "t": return .uint64(try basic(type, UInt64(0)))
        case "d": return .double(try basic(type, Double(0)))
        case "s", "g": return .string(try text(type))
        case "o": return .objectPath(try text(type))
        case "h":
            // The descriptor belongs to the message, which is freed before the caller uses it.
            let copy = fcntl(try basic(type, Int32(-1)), F_DUPFD_CLOEXEC, 3)
            guard copy >= 0 else { throw Self.unreadable("a descriptor cannot be kept") }
            return .descriptor(OwnedDescriptor(copy))
        case "v":
            let values = try container(type, contents: inner, depth: depth)
            guard let value = values.first else { throw Self.unreadable("an empty variant") }
            return .variant(value)
        case "r": return .structure(try container(type, contents: inner, depth: depth))
        case "a" where inner.hasPrefix("{s"): return try dictionary(type, contents: inner, depth: depth)
        case "a": return .array(element: inner, try container(type, contents: inner, depth: depth))
        default: throw Self.unreadable("type \(type)")
        }
    }

    private func basic<T: BitwiseCopyable>(_ type: CChar, _ zero: T) throws(Problem) -> T {
        var value = zero
        let code = sd_bus_message_read_basic(message, type, &value)
        guard code > 0 else { throw Self.unreadable("error \(-code)") }
        return value
    }

    private mutating func text(_ type: CChar) throws(Problem) -> String {
        var text: UnsafePointer<CChar>?
        let code = sd_bus_message_read_basic(message, type, &text)
        guard code > 0, let text else { throw Self.unreadable("error \(-code)") }
        textBytesLeft -= strnlen(text, textBytesLeft + 1)
        guard textBytesLeft >= 0 else { throw Self.unreadable("it holds too much text") }
        return String(cString: text)
    }

    private mutating func container(_ type: CChar, contents: String, depth: Int) throws(Problem)
        -> [DBusValue]
    {
        try enter(type, contents)
        let values = try rest(depth: depth + 1)
        try exit()
        return values
    }

    private mutating func dictionary(_ type: CChar, contents: String, depth: Int) throws(Problem)
        -> DBusValue
    {
        try enter(type, contents)
        let inner = String(contents.dropFirst().dropLast())
        var entries: [(key: String, value: DBusValue)] = []
        while sd_bus_message_at_end(message, 0) == 0 {
            try enter(CChar(UInt8(ascii: "e")), inner)
            let pair = try rest(depth: depth + 2)
            try exit()
            guard pair.count == 2, let key = pair[0].text else { throw Self.unreadable("a broken pair") }
            entries.append((key, pair[1]))
        }
        try exit()
        return .dictionary(value: String(inner.dropFirst()), entries)
    }

    private func enter(_ type: CChar, _ contents: String) throws(Problem) {
        let code = sd_bus_message_enter_container(message, type, contents)
        guard code > 0 else { throw Self.unreadable("error \(-code)") }
    }

    private func exit() throws(Problem) {
        let code = sd_bus_message_exit_container(message)
        guard code >= 0 else { throw Self.unreadable("error \(-code)") }
    }

    private static func unreadable(_ why: String) -> Problem {
        Problem("dbus.unreadable", "A D-Bus message cannot be read: \(why, "why").")
    }
}

/// Appends values to a message of sd-bus.
struct DBusWriter {
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
            try container("a", contents: element) { () throws(Problem) in try append(values) }
        case .variant(let value):
            try container("v", contents: value.signature) { () throws(Problem) in try append(value) }
        case .structure(let fields):
            let contents = fields.map(\.signature).joined()
            try container("r", contents: contents) { () throws(Problem) in try append(fields) }
        case .dictionary(let kind, let entries):
            try container("a", contents: "{s\(kind)}") { () throws(Problem) in
                for (key, value) in entries {
                    try container("e", contents: "s\(kind)") { () throws(Problem) in
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
        // On the bus, a string ends at a zero byte. A truncated string would be a different one.
        guard !text.utf8.contains(0) else {
            throw Problem("dbus.bad_value", "A D-Bus string cannot contain a zero byte.")
        }
        try Self.check(sd_bus_message_append_basic(message, CChar(type.value), text), "append")
    }

    private func container(_ type: Unicode.Scalar, contents: String, fill: () throws(Problem) -> Void)
        throws(Problem)
    {
        try Self.check(sd_bus_message_open_container(message, CChar(type.value), contents), "open_container")
        try fill()
        try Self.check(sd_bus_message_close_container(message), "close_container")
    }

    static func check(_ code: Int32, _ what: String) throws(Problem) {
        guard code < 0 else { return }
        throw Problem(
            "dbus.bad_value",
            "A D-Bus message could not be created (\(what, "what"): \(-code, "value")).",
            key: "dbus.bad_value.a-d-bus"
        )
    }
}
