import STCSystemd
import STPlatform

/// A call between its sending and its end, on the thread of its connection.
final class DBusPendingCall {
    let id: UInt64
    var slot: OpaquePointer?
    var timer: UInt64?
    private unowned let bus: DBusConnection
    private var done: ((Result<[DBusValue], Problem>) -> Void)?

    init(id: UInt64, bus: DBusConnection, done: @escaping (Result<[DBusValue], Problem>) -> Void) {
        self.id = id
        self.bus = bus
        self.done = done
    }

    func take(_ reply: OpaquePointer) {
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

    /// Says of these errors alone that the call may have been taken: the bus says them of a receiver that went away.
    private static let ambiguous: Set<String> = [
        "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout",
        "org.freedesktop.DBus.Error.TimedOut", "org.freedesktop.DBus.Error.Disconnected",
    ]

    private static func problem(_ name: String, _ text: String) -> Problem {
        let isAmbiguous = ambiguous.contains(name)
        return Problem(
            isAmbiguous ? "dbus.no_reply" : "dbus.refused",
            // What a foreign program says, no longer than a person reads.
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
