import Glibc
import STCSystemd
package import STPlatform

/// A received signal, or a call of another program to an object of this program.
package struct DBusMessage: Sendable, Equatable {
    /// The unique name of the sender, such as `:1.42`.
    package var sender: String
    package var path: String
    package var interface: String
    package var member: String
    package var arguments: [DBusValue]

    /// Reads a message of sd-bus.
    init(_ message: OpaquePointer) throws(Problem) {
        func text(_ value: UnsafePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }
        sender = text(sd_bus_message_get_sender(message))
        path = text(sd_bus_message_get_path(message))
        interface = text(sd_bus_message_get_interface(message))
        member = text(sd_bus_message_get_member(message))
        arguments = try DBusReader.values(of: message)
    }

    /// The reply to a call of a method that the object does not have.
    package var unknown: Problem {
        Problem(
            "access.unknown",
            "This object has no method \(member, "member").",
            details: ["name": "org.freedesktop.DBus.Error.UnknownMethod"]
        )
    }
}

/// A call to a method of another program.
package struct DBusCall: Sendable, Equatable {
    package var destination: String
    package var path: String
    package var interface: String
    package var member: String
    package var arguments: [DBusValue]

    package init(
        _ destination: String,
        path: String,
        interface: String,
        member: String,
        arguments: [DBusValue] = []
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }
}

/// A call between two other programs. It is read field by field, so that fields which are not needed, such as pictures, are never
/// decoded.
package struct DBusMonitoredMessage {
    private let message: OpaquePointer

    init(_ message: OpaquePointer) { self.message = message }

    package var sender: String { text(sd_bus_message_get_sender(message)) }
    package var interface: String { text(sd_bus_message_get_interface(message)) }
    package var member: String { text(sd_bus_message_get_member(message)) }
    package var signature: String { text(sd_bus_message_get_signature(message, 1)) }

    private func text(_ value: UnsafePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }

    /// Returns the next field, or `nil` if it is not a string or is longer than `bytesMax`.
    package func readText(bytesMax: Int) -> String? {
        var text: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(message, CChar(UInt8(ascii: "s")), &text) > 0, let text,
            strnlen(text, bytesMax + 1) <= bytesMax
        else { return nil }
        return String(cString: text)
    }

    package func readUInt32() -> UInt32? {
        var number: UInt32 = 0
        guard sd_bus_message_read_basic(message, CChar(UInt8(ascii: "u")), &number) > 0 else { return nil }
        return number
    }

    /// Skips fields of these types.
    package func skip(_ types: String) -> Bool { sd_bus_message_skip(message, types) > 0 }

    /// Returns the strings with these keys in the next field, an `a{sv}`. Skips other entries.
    package func readTexts(of keys: Set<String>, entriesMax: Int, bytesMax: Int) -> [String: String]? {
        guard sd_bus_message_enter_container(message, CChar(UInt8(ascii: "a")), "{sv}") > 0 else {
            return nil
        }
        var found: [String: String] = [:]
        var left = entriesMax
        while left > 0, sd_bus_message_enter_container(message, CChar(UInt8(ascii: "e")), "sv") > 0 {
            left -= 1
            guard let key = readText(bytesMax: 256) else { return nil }
            if keys.contains(key), sd_bus_message_enter_container(message, CChar(UInt8(ascii: "v")), "s") > 0
            {
                found[key] = readText(bytesMax: bytesMax)
                guard sd_bus_message_exit_container(message) >= 0 else { return nil }
            } else if !skip("v") {
                return nil
            }
            guard sd_bus_message_exit_container(message) >= 0 else { return nil }
        }
        return found
    }
}
