package import STPlatform

/// A value in a message, of one of the D-Bus types that desktops use.
package enum DBusValue: Sendable, Equatable {
    case bool(Bool)
    case byte(UInt8)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    /// An open file. Sender and receiver each have their own descriptor.
    case descriptor(OwnedDescriptor)
    /// Elements of one type, which `element` is the signature of.
    case array(element: String, [DBusValue])
    indirect case variant(DBusValue)
    case structure([DBusValue])
    /// `a{s…}`, because desktops only use strings as keys. The entries are in the order in which they are sent.
    case dictionary(value: String, [(key: String, value: DBusValue)])

    /// Upper bound on nested containers. Messages with more levels are rejected.
    package static let depthMax = 16

    /// The D-Bus signature, such as `a{sv}`.
    package var signature: String {
        switch self {
        case .bool: "b"
        case .byte: "y"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .descriptor: "h"
        case .array(let element, _): "a" + element
        case .variant: "v"
        case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
        case .dictionary(let value, _): "a{s\(value)}"
        }
    }

    package static func strings(_ list: [String]) -> DBusValue {
        .array(element: "s", list.map { .string($0) })
    }

    package static func == (left: DBusValue, right: DBusValue) -> Bool {
        switch (left, right) {
        case (.bool(let one), .bool(let other)): one == other
        case (.byte(let one), .byte(let other)): one == other
        case (.int32(let one), .int32(let other)): one == other
        case (.uint32(let one), .uint32(let other)): one == other
        case (.int64(let one), .int64(let other)): one == other
        case (.uint64(let one), .uint64(let other)): one == other
        case (.double(let one), .double(let other)): one == other
        case (.string(let one), .string(let other)), (.objectPath(let one), .objectPath(let other)):
            one == other
        case (.descriptor(let one), .descriptor(let other)): one === other
        case (.array(let one, let values), .array(let other, let others)): one == other && values == others
        case (.variant(let one), .variant(let other)): one == other
        case (.structure(let one), .structure(let other)): one == other
        case (.dictionary(let one, let values), .dictionary(let other, let others)):
            one == other && values.count == others.count
                && zip(values, others).allSatisfy { $0.key == $1.key && $0.value == $1.value }
        default: false
        }
    }
}

/// Accessors for common types. They return `nil` for a value of another type.
extension DBusValue {
    package var text: String? {
        switch self {
        case .string(let text), .objectPath(let text): text
        case .variant(let value): value.text
        default: nil
        }
    }

    package var number: Int64? {
        switch self {
        case .byte(let number): Int64(number)
        case .int32(let number): Int64(number)
        case .uint32(let number): Int64(number)
        case .int64(let number): number
        case .uint64(let number): Int64(exactly: number)
        case .variant(let value): value.number
        default: nil
        }
    }

    package var flag: Bool? {
        switch self {
        case .bool(let flag): flag
        case .variant(let value): value.flag
        default: nil
        }
    }

    package var elements: [DBusValue]? {
        switch self {
        case .array(_, let values), .structure(let values): values
        case .variant(let value): value.elements
        default: nil
        }
    }

    package subscript(key: String) -> DBusValue? {
        switch self {
        case .dictionary(_, let entries): entries.first { $0.key == key }?.value
        case .variant(let value): value[key]
        default: nil
        }
    }
}
