package import STContracts
import STDBus
import STPlatform

/// The program that shows notifications on this desktop, by the specification of freedesktop.org.
package struct NotificationDaemon: Sendable {
    static let name = "org.freedesktop.Notifications"
    static let path = "/org/freedesktop/Notifications"
    private static let deadlineMs: Int64 = 10_000

    let bus: DBusConnection
    /// The bus and the name on it.
    package let owner: String
    /// Its name on the bus, such as `:1.42`; signals of other programs are ignored.
    let uniqueName: String
    /// Such as `dunst 1.9.0`.
    package let title: String
    private let capabilities: Set<String>

    /// Asks which program it is, and starts one where the desktop knows how; throws when there is none.
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

    /// Our screens show what a foreign program calls itself, so it is cut and cleaned.
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
    package func show(_ posted: PostedNotification, replacing: Int64?) async throws -> Int64 {
        // To the unique name: another program may have taken the common name, and its capabilities are unknown.
        let call = DBusCall(
            uniqueName,
            Self.path,
            Self.name,
            "Notify",
            DesktopWords(capabilities: capabilities).arguments(posted, replacing: replacing)
        )
        let reply = try await bus.call(call, withinMs: Self.deadlineMs)
        guard let id = reply.first?.number else {
            throw Problem("dbus.no_reply", "\(title, "title") returned no ID for the notification.")
        }
        return id
    }

    package func close(_ screen: Int64) async throws {
        let id = DBusValue.uint32(UInt32(clamping: screen))
        _ = try await bus.call(
            DBusCall(uniqueName, Self.path, Self.name, "CloseNotification", [id]),
            withinMs: Self.deadlineMs
        )
    }
}

/// A notification as `Notify` of org.freedesktop.Notifications takes it.
struct DesktopWords: Sendable {
    /// What the program says it can do.
    let capabilities: Set<String>

    private static let ownName = "Screen Time"
    private static let icon = "preferences-system-time"

    func arguments(_ posted: PostedNotification, replacing: Int64?) -> [DBusValue] {
        [
            .string(posted.app == BuiltInRules.app ? Self.ownName : posted.app),
            .uint32(replacing.map { UInt32(clamping: $0) } ?? 0),
            .string(Self.icon),
            .string(summary(posted)),
            .string(body(posted)),
            .strings(actions(posted)),
            .dictionary(value: "v", hints(posted)),
            // The desktop decides how long it stays; an urgent one stays until the person puts it away.
            .int32(posted.urgency == .critical ? 0 : -1),
        ]
    }

    /// The specification forbids markup in it.
    private func summary(_ posted: PostedNotification) -> String {
        guard !capabilities.contains("body"), !posted.body.isEmpty else { return posted.title }
        return posted.title + ": " + posted.body.split { $0.isNewline }.joined(separator: " ")
    }

    private func body(_ posted: PostedNotification) -> String {
        guard capabilities.contains("body") else { return "" }
        return capabilities.contains("body-markup") ? Markup.escaped(posted.body) : posted.body
    }

    /// A press on the notification itself is an action as well.
    private func actions(_ posted: PostedNotification) -> [String] {
        guard capabilities.contains("actions") else { return [] }
        return ["default", "Open"] + (posted.actions ?? []).flatMap { [$0.id, $0.label] }
    }

    private func hints(_ posted: PostedNotification) -> [(key: String, value: DBusValue)] {
        let urgency: UInt8 =
            switch posted.urgency {
            case .low: 0
            case .critical: 2
            case .normal, .unknown, nil: 1
            }
        var hints: [(key: String, value: DBusValue)] = [
            ("urgency", .variant(.byte(urgency))),
            ("desktop-entry", .variant(.string(posted.app == BuiltInRules.app ? "screentime" : posted.app))),
            ("x-screentime-number", .variant(.int64(posted.number))),
            ("x-screentime-id", .variant(.string(posted.id))),
        ]
        switch posted.hasSound {
        case true: hints.append(("sound-name", .variant(.string("message-new-instant"))))
        case false: hints.append(("suppress-sound", .variant(.bool(true))))
        case nil: break
        }
        return hints
    }
}
