import STCSystemd
import STPlatform

/// The target of a callback from sd-bus. The connection retains it until the connection ends.
class DBusCallback: @unchecked Sendable {
    // @unchecked: used on the connection's thread only.

    /// The registration in sd-bus.
    var slot: OpaquePointer?

    /// The pointer that sd-bus passes to the callback, which converts it with `from`.
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func from(_ pointer: UnsafeMutableRawPointer?) -> Self? {
        pointer.flatMap { Unmanaged<DBusCallback>.fromOpaque($0).takeUnretainedValue() as? Self }
    }

    func release() {
        if let slot { sd_bus_slot_unref(slot) }
        slot = nil
    }
}

/// Receives the signals that match a rule.
final class DBusListener: DBusCallback, @unchecked Sendable {
    // @unchecked: used on the connection's thread only.
    private let onMessage: (DBusMessage) -> Void

    init(_ heard: @escaping (DBusMessage) -> Void) { self.onMessage = heard }

    static let onSignal: sd_bus_message_handler_t = { message, pointer, _ in
        guard let message, let listener = DBusListener.from(pointer), let signal = try? DBusMessage(message)
        else { return 0 }
        listener.onMessage(signal)
        return 0
    }
}

/// Receives the calls between other programs.
final class DBusMonitor: DBusCallback, @unchecked Sendable {
    // @unchecked: used on the connection's thread only.
    private let onMonitoredMessage: @Sendable (DBusMonitoredMessage) -> Void

    init(_ heard: @escaping @Sendable (DBusMonitoredMessage) -> Void) { self.onMonitoredMessage = heard }

    /// Returns 1, “handled”, for every message. Otherwise sd-bus would answer calls between other programs, and the bus would close
    /// the connection.
    static let onMessage: sd_bus_message_handler_t = { message, pointer, _ in
        guard let message, let monitor = DBusMonitor.from(pointer),
            sd_bus_message_is_method_call(message, nil, nil) > 0
        else { return 1 }
        monitor.onMonitoredMessage(DBusMonitoredMessage(message))
        return 1
    }
}

/// An object that other programs call.
final class DBusObject: DBusCallback, @unchecked Sendable {
    // @unchecked: used on the connection's thread only.
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

/// A call that waits for its reply.
final class DBusPendingCall: DBusCallback, @unchecked Sendable {
    // @unchecked: used on the connection's thread only.
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
        call.complete(message)
        return 0
    }

    private func complete(_ reply: OpaquePointer) {
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
        bus.removePending(self)
        done(result)
    }

    /// Errors after which the call may have been delivered anyway, because the bus sends them when the receiver disconnects.
    private static let ambiguous: Set<String> = [
        "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout",
        "org.freedesktop.DBus.Error.TimedOut", "org.freedesktop.DBus.Error.Disconnected",
    ]

    private static func problem(_ name: String, _ text: String) -> Problem {
        let isAmbiguous = ambiguous.contains(name)
        return Problem(
            isAmbiguous ? "dbus.no_reply" : "dbus.refused",
            verbatim:  // The message of another program, cut to a readable length.
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
