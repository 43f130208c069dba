import STCSystemd
import STPlatform

/// Something that sd-bus calls back with a pointer to it; its connection keeps it until the connection ends.
class DBusCallback: @unchecked Sendable {
    // @unchecked: used on the connection's thread only.

    /// What sd-bus registered it as.
    var slot: OpaquePointer?

    /// What sd-bus hands back to `from`.
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func from(_ pointer: UnsafeMutableRawPointer?) -> Self? {
        pointer.flatMap { Unmanaged<DBusCallback>.fromOpaque($0).takeUnretainedValue() as? Self }
    }

    func release() {
        if let slot { sd_bus_slot_unref(slot) }
        slot = nil
    }
}

/// Hears the signals that match a rule.
final class DBusListener: DBusCallback, @unchecked Sendable {
    // @unchecked: as all callbacks.
    private let heard: (DBusMessage) -> Void

    init(_ heard: @escaping (DBusMessage) -> Void) { self.heard = heard }

    static let onSignal: sd_bus_message_handler_t = { message, pointer, _ in
        guard let message, let listener = DBusListener.from(pointer), let signal = try? DBusMessage(message)
        else { return 0 }
        listener.heard(signal)
        return 0
    }
}

/// Hears the calls between other programs.
final class DBusMonitor: DBusCallback, @unchecked Sendable {
    // @unchecked: as all callbacks.
    private let heard: @Sendable (DBusOverheard) -> Void

    init(_ heard: @escaping @Sendable (DBusOverheard) -> Void) { self.heard = heard }

    /// Returns 1, “handled”, for every message: otherwise sd-bus would answer calls between others, and the bus would
    /// close the connection for it.
    static let onMessage: sd_bus_message_handler_t = { message, pointer, _ in
        guard let message, let monitor = DBusMonitor.from(pointer),
            sd_bus_message_is_method_call(message, nil, nil) > 0
        else { return 1 }
        monitor.heard(DBusOverheard(message))
        return 1
    }
}

/// An object of ours that other programs call.
final class DBusObject: DBusCallback, @unchecked Sendable {
    // @unchecked: as all callbacks.
    private let answer: @Sendable (DBusMessage) -> Result<[DBusValue], Problem>?

    init(_ answer: @escaping @Sendable (DBusMessage) -> Result<[DBusValue], Problem>?) {
        self.answer = answer
    }

    static let onCall: sd_bus_message_handler_t = { message, pointer, _ in
        guard let message, let object = DBusObject.from(pointer), let call = try? DBusMessage(message) else {
            return 0
        }
        if let result = object.answer(call) { DBusObject.reply(to: message, result) }
        return 1
    }

    private static func reply(to call: OpaquePointer, _ result: Result<[DBusValue], Problem>) {
        var made: OpaquePointer?
        switch result {
        case .success(let values):
            guard sd_bus_message_new_method_return(call, &made) >= 0, let message = made else { return }
            defer { sd_bus_message_unref(message) }
            guard (try? DBusWriter(message: message).append(values)) != nil else { return }
            sd_bus_send(nil, message, nil)
        case .failure(let problem):
            let name = problem.details["name"] ?? "org.freedesktop.DBus.Error.Failed"
            var error = sd_bus_error()
            defer { sd_bus_error_free(&error) }
            sd_bus_error_set(&error, name, problem.message)
            guard sd_bus_message_new_method_error(call, &made, &error) >= 0, let message = made else {
                return
            }
            sd_bus_send(nil, message, nil)
            sd_bus_message_unref(message)
        }
    }
}

/// A call between its sending and its end.
final class DBusPendingCall: DBusCallback, @unchecked Sendable {
    // @unchecked: as all callbacks.
    let id: UInt64
    var timer: UInt64?
    private unowned let bus: DBusConnection
    private var done: ((Result<[DBusValue], Problem>) -> Void)?

    init(id: UInt64, bus: DBusConnection, done: @escaping (Result<[DBusValue], Problem>) -> Void) {
        self.id = id
        self.bus = bus
        self.done = done
    }

    static let onReply: sd_bus_message_handler_t = { message, pointer, _ in
        guard let message, let call = DBusPendingCall.from(pointer) else { return 0 }
        call.take(message)
        return 0
    }

    private func take(_ reply: OpaquePointer) {
        if let error = sd_bus_message_get_error(reply) {
            let name = error.pointee.name.map { String(cString: $0) } ?? ""
            let text = error.pointee.message.map { String(cString: $0) } ?? name
            return finish(.failure(Self.problem(name, text)))
        }
        do {
            finish(.success(try DBusReader.values(of: reply)))
        } catch {
            finish(.failure(error))
        }
    }

    func finish(_ result: Result<[DBusValue], Problem>) {
        guard let done else { return }
        self.done = nil
        bus.forget(self)
        done(result)
    }

    /// Only after these errors the call may have arrived all the same: the bus sends them when the receiver went away.
    private static let ambiguous: Set<String> = [
        "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout",
        "org.freedesktop.DBus.Error.TimedOut", "org.freedesktop.DBus.Error.Disconnected",
    ]

    private static func problem(_ name: String, _ text: String) -> Problem {
        let isAmbiguous = ambiguous.contains(name)
        return Problem(
            isAmbiguous ? "dbus.no_reply" : "dbus.refused",
            verbatim:  // The words of another program, no longer than a person reads.
                String(
                    text.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(200).map(
                        Character.init
                    )
                ),
            retryable: !isAmbiguous,
            details: ["name": String(name.prefix(255))]
        )
    }
}
