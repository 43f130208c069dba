import Glibc
import STCSystemd
import STPlatform

/// Takes the values out of a message of sd-bus, whatever they are.
struct MessageReader {
    /// Values beyond these make a message unreadable: nothing here needs so many, and somebody else chose them.
    static let valuesMax = 20_000
    static let textBytesMax = 1 << 20

    let message: OpaquePointer
    private var valuesLeft = valuesMax
    private var textBytesLeft = textBytesMax

    init(message: OpaquePointer) { self.message = message }

    static func values(of message: OpaquePointer) throws(Problem) -> [DBusValue] {
        var reader = MessageReader(message: message)
        return try reader.rest(depth: 0)
    }

    private mutating func rest(depth: Int) throws(Problem) -> [DBusValue] {
        var values: [DBusValue] = []
        while let value = try next(depth: depth) { values.append(value) }
        return values
    }

    /// Nil at the end of the message, or of the container that is open.
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
            // Belongs to the message, which is gone before whoever asked for it.
            let copy = fcntl(try basic(type, Int32(-1)), F_DUPFD_CLOEXEC, 3)
            guard copy >= 0 else { throw Self.unreadable("a descriptor cannot be kept") }
            return .descriptor(OwnedDescriptor(copy))
        case "v":
            let values = try container(type, inner, depth)
            guard let value = values.first else { throw Self.unreadable("an empty variant") }
            return .variant(value)
        case "r": return .structure(try container(type, inner, depth))
        case "a" where inner.hasPrefix("{s"): return try dictionary(type, inner, depth)
        case "a": return .array(element: inner, try container(type, inner, depth))
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

    private mutating func container(_ type: CChar, _ contents: String, _ depth: Int) throws(Problem)
        -> [DBusValue]
    {
        try enter(type, contents)
        let values = try rest(depth: depth + 1)
        try exit()
        return values
    }

    private mutating func dictionary(_ type: CChar, _ contents: String, _ depth: Int) throws(Problem)
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
        Problem("dbus.unreadable", "A message of the desktop cannot be read: \(why).")
    }
}
