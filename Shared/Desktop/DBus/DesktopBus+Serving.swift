import STCSystemd
package import STPlatform

/// The other side: to be somebody whom others call.
extension DesktopBus {
    /// Takes a well-known name; throws when somebody else has it.
    package func requestName(_ name: String, withinMs deadlineMs: Int64) async throws {
        let bus = "org.freedesktop.DBus"
        // 4: do not wait in a queue for it.
        let arguments: [DBusValue] = [.string(name), .uint32(4)]
        let reply = try await call(
            .init(bus, "/org/freedesktop/DBus", bus, "RequestName", arguments),
            withinMs: deadlineMs
        )
        guard let answer = reply.first?.number, answer == 1 || answer == 4 else {
            throw Problem("dbus.name_taken", "Somebody else is \(name) on this bus.")
        }
    }

    /// Answers calls to one object, or to all below it too; nil from `answer` sends no reply at all.
    ///
    /// `answer` runs on the connection's own thread.
    package func serve(
        path: String,
        andBelow isPrefix: Bool = false,
        _ answer: @escaping @Sendable (DBusMessage) -> Result<[DBusValue], Problem>?
    ) async throws {
        let served = Served(answer)
        served.listener.owner = served
        try await with { bus throws(Problem) in
            let add = isPrefix ? sd_bus_add_fallback : sd_bus_add_object
            let code = add(
                bus,
                &served.slot,
                path,
                Served.onCall,
                Unmanaged.passUnretained(served).toOpaque()
            )
            try MessageWriter.check(code, "add_object")
            self.keep(served.listener)
        }
    }

    /// Under which others know this connection, such as `:1.42`.
    package func uniqueName() async throws -> String {
        try await with { bus throws(Problem) in
            var name: UnsafePointer<CChar>?
            try MessageWriter.check(sd_bus_get_unique_name(bus, &name), "get_unique_name")
            guard let name else { throw DesktopBus.notConnected }
            return String(cString: name)
        }
    }

    package func emit(path: String, _ interface: String, _ member: String, _ arguments: [DBusValue])
        async throws
    {
        try await with { bus throws(Problem) in
            var made: OpaquePointer?
            let code = sd_bus_message_new_signal(bus, &made, path, interface, member)
            try MessageWriter.check(code, "new_signal")
            guard let message = made else { return }
            defer { sd_bus_message_unref(message) }
            try MessageWriter(message: message).append(arguments)
            try MessageWriter.check(sd_bus_send(bus, message, nil), "send")
        }
    }
}

/// An object that is called by others.
private final class Served: @unchecked Sendable {
    // @unchecked: touched on the connection's thread only.
    var slot: OpaquePointer? {
        get { listener.slot }
        set { listener.slot = newValue }
    }
    private let answer: @Sendable (DBusMessage) -> Result<[DBusValue], Problem>?
    let listener = DesktopBus.Listener()

    init(_ answer: @escaping @Sendable (DBusMessage) -> Result<[DBusValue], Problem>?) {
        self.answer = answer
    }

    static let onCall: sd_bus_message_handler_t = { message, userdata, _ in
        guard let message, let userdata, let call = try? DesktopBus.read(message) else { return 0 }
        let served = Unmanaged<Served>.fromOpaque(userdata).takeUnretainedValue()
        guard let result = served.answer(call) else { return 1 }
        return Served.reply(to: message, result)
    }

    private static func reply(to call: OpaquePointer, _ result: Result<[DBusValue], Problem>) -> Int32 {
        var made: OpaquePointer?
        switch result {
        case .success(let values):
            guard sd_bus_message_new_method_return(call, &made) >= 0, let message = made else { return 1 }
            defer { sd_bus_message_unref(message) }
            guard (try? MessageWriter(message: message).append(values)) != nil else { return 1 }
            sd_bus_send(nil, message, nil)
        case .failure(let problem):
            let name = problem.details["name"] ?? "org.freedesktop.DBus.Error.Failed"
            var error = sd_bus_error()
            defer { sd_bus_error_free(&error) }
            sd_bus_error_set(&error, name, problem.message)
            guard sd_bus_message_new_method_error(call, &made, &error) >= 0, let message = made else {
                return 1
            }
            sd_bus_send(nil, message, nil)
            sd_bus_message_unref(message)
        }
        return 1
    }
}
