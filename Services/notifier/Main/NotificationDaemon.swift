import STContracts
import STDBus
import STPlatform

/// The program that shows notifications on this desktop, by the specification of freedesktop.org.
struct NotificationDaemon: Sendable {
    static let name = "org.freedesktop.Notifications"
    static let path = "/org/freedesktop/Notifications"
    private static let deadlineMs: Int64 = 10_000

    let bus: DBusConnection
    /// The bus and the name on it.
    let owner: String
    /// On the bus, such as `:1.42`: who else says such things is not believed.
    let uniqueName: String
    /// Such as `dunst 1.9.0`.
    let title: String
    private let capabilities: Set<String>

    /// Asks who is there, and starts it where the desktop knows how; throws when nobody is.
    static func find(_ bus: DBusConnection) async throws -> NotificationDaemon {
        let about = try await ask(bus, "GetServerInformation", [])
        let capabilities = try await ask(bus, "GetCapabilities", [])
        let unique = try await busAsk(bus, "GetNameOwner", [.string(name)]).first?.text ?? ""
        let id = try await busAsk(bus, "GetId", []).first?.text ?? ""
        let words = [about.first?.text, about.count > 2 ? about[2].text : nil].compactMap { $0 }
        return NotificationDaemon(
            bus: bus,
            owner: "\(id)/\(unique)",
            uniqueName: unique,
            title: harmless(words.joined(separator: " ")),
            capabilities: Set((capabilities.first?.elements ?? []).compactMap(\.text))
        )
    }

    /// What a foreign program calls itself stands in our screens.
    private static func harmless(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(60)
            )
        )
    }

    private static func ask(_ bus: DBusConnection, _ member: String, _ arguments: [DBusValue]) async throws
        -> [DBusValue]
    {
        try await bus.call(DBusCall(name, path, name, member, arguments), withinMs: deadlineMs)
    }

    private static func busAsk(_ bus: DBusConnection, _ member: String, _ arguments: [DBusValue]) async throws
        -> [DBusValue]
    {
        let system = "org.freedesktop.DBus"
        return try await bus.call(
            DBusCall(system, "/org/freedesktop/DBus", system, member, arguments),
            withinMs: deadlineMs
        )
    }

    // MARK: - Showing

    /// The id on the screen.
    func show(_ posted: PostedNotification, replacing: Int64?) async throws -> Int64 {
        // To this very one: another one that took the name meanwhile has not been asked what it can do.
        let call = DBusCall(
            uniqueName,
            Self.path,
            Self.name,
            "Notify",
            DesktopWords(capabilities: capabilities).arguments(posted, replacing: replacing)
        )
        let reply = try await bus.call(call, withinMs: Self.deadlineMs)
        guard let id = reply.first?.number else {
            throw Problem("dbus.no_reply", "\(title) gave the notification no number.")
        }
        return id
    }

    func close(_ screen: Int64) async throws {
        let id = DBusValue.uint32(UInt32(clamping: screen))
        _ = try await bus.call(
            DBusCall(uniqueName, Self.path, Self.name, "CloseNotification", [id]),
            withinMs: Self.deadlineMs
        )
    }
}
