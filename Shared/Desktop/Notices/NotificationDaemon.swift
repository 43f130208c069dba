package import STContracts
import STDBus
import STPlatform

/// The program that shows notifications on this desktop, according to the freedesktop.org specification.
package struct NotificationDaemon: Sendable {
    static let name = "org.freedesktop.Notifications"
    static let path = "/org/freedesktop/Notifications"
    private static let timeout = Duration.seconds(10)

    let bus: DBusConnection
    /// The ID of the bus and the daemon's unique name.
    package let owner: String
    /// The daemon's unique name on the bus, such as `:1.42`. Signals from other programs are ignored.
    let uniqueName: String
    /// The daemon's name and version, such as `dunst 1.9.0`.
    package let title: String
    private let capabilities: Set<String>

    /// Queries the daemon, which the bus starts if it can. Throws if there is none.
    static func find(_ bus: DBusConnection) async throws -> NotificationDaemon {
        let about = try await ask(bus, member: "GetServerInformation", arguments: [])
        let capabilities = try await ask(bus, member: "GetCapabilities", arguments: [])
        let unique =
            try await busAsk(bus, member: "GetNameOwner", arguments: [.string(name)]).first?.text ?? ""
        let id = try await busAsk(bus, member: "GetId", arguments: []).first?.text ?? ""
        let words = [about.first?.text, about.count > 2 ? about[2].text : nil].compactMap { $0 }
        return NotificationDaemon(
            bus: bus,
            owner: "\(id)/\(unique)",
            uniqueName: unique,
            title: sanitized(words.joined(separator: " ")),
            capabilities: Set((capabilities.first?.elements ?? []).compactMap(\.text))
        )
    }

    /// Truncates a text from another program and removes control characters, because it is shown to people.
    private static func sanitized(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(60)
            )
        )
    }

    private static func ask(_ bus: DBusConnection, member: String, arguments: [DBusValue]) async throws
        -> [DBusValue]
    {
        try await bus.call(
            DBusCall(name, path: path, interface: name, member: member, arguments: arguments),
            withinMs: timeout.ms
        )
    }

    private static func busAsk(_ bus: DBusConnection, member: String, arguments: [DBusValue]) async throws
        -> [DBusValue]
    {
        let system = "org.freedesktop.DBus"
        return try await bus.call(
            DBusCall(
                system,
                path: "/org/freedesktop/DBus",
                interface: system,
                member: member,
                arguments: arguments
            ),
            withinMs: timeout.ms
        )
    }

    // MARK: - Showing

    /// Shows the notification and returns its ID on the screen.
    package func show(_ posted: PostedNotification, replacing: Int64?) async throws -> Int64 {
        // To the unique name: another program may have taken the common name, and its capabilities are unknown.
        let call = DBusCall(
            uniqueName,
            path: Self.path,
            interface: Self.name,
            member: "Notify",
            arguments: NotificationArguments(capabilities: capabilities).arguments(
                posted,
                replacing: replacing
            )
        )
        let reply = try await bus.call(call, withinMs: Self.timeout.ms)
        guard let id = reply.first?.number else {
            throw Problem("dbus.no_reply", "\(title, "title") returned no ID for the notification.")
        }
        return id
    }

    package func close(_ screen: Int64) async throws {
        let id = DBusValue.uint32(UInt32(clamping: screen))
        _ = try await bus.call(
            DBusCall(
                uniqueName,
                path: Self.path,
                interface: Self.name,
                member: "CloseNotification",
                arguments: [id]
            ),
            withinMs: Self.timeout.ms
        )
    }
}

/// The arguments of a notification for `Notify` of org.freedesktop.Notifications.
struct NotificationArguments: Sendable {
    /// The capabilities that the daemon reports.
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
            // The desktop decides how long the notification stays. An urgent one stays until the person dismisses it.
            .int32(posted.urgency == .critical ? 0 : -1),
        ]
    }

    /// Returns the summary, without markup, which the specification forbids in it.
    private func summary(_ posted: PostedNotification) -> String {
        guard !capabilities.contains("body"), !posted.body.isEmpty else { return posted.title }
        return posted.title + ": " + posted.body.split { $0.isNewline }.joined(separator: " ")
    }

    private func body(_ posted: PostedNotification) -> String {
        guard capabilities.contains("body") else { return "" }
        return capabilities.contains("body-markup") ? Markup.escaped(posted.body) : posted.body
    }

    /// Returns the actions. A press on the notification itself is one, too.
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
