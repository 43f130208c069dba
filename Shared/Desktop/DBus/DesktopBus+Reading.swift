import STCSystemd
import STPlatform

extension DesktopBus {
    static func read(_ message: OpaquePointer) throws(Problem) -> DBusMessage {
        func text(_ value: UnsafePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }
        return DBusMessage(
            sender: text(sd_bus_message_get_sender(message)),
            path: text(sd_bus_message_get_path(message)),
            interface: text(sd_bus_message_get_interface(message)),
            member: text(sd_bus_message_get_member(message)),
            arguments: try MessageReader.values(of: message)
        )
    }

    /// Something that sd-bus calls back with a pointer to it; kept for as long as the connection.
    final class Listener {
        let heard: (DBusMessage) -> Void
        var slot: OpaquePointer?
        /// Kept with it, until the connection ends.
        var owner: AnyObject?

        init(heard: @escaping (DBusMessage) -> Void = { _ in }) { self.heard = heard }
    }
}
