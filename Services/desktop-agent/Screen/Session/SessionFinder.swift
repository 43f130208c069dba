package import STContracts
import STDBus
import STPlatform

/// Finds the session of logind that the screen belongs to.
struct SessionFinder: Sendable {
    let environment: [String: String]
    let pid: Int32
    let uid: UInt32

    /// Nil when no logind runs, or it has no session of this user.
    func find(_ bus: DBusConnection) async throws -> LoginSession? {
        let dbus = "org.freedesktop.DBus"
        do {
            // Asked of the bus, so that nothing is started where there is none.
            _ = try await bus.call(
                .init(dbus, "/org/freedesktop/DBus", dbus, "GetNameOwner", [.string(LogindWatch.name)]),
                withinMs: LogindWatch.deadlineMs
            )
        } catch let problem as Problem where problem.code == "dbus.refused" {
            return nil
        }
        // On a protected computer it is the account's desktop, wherever this program was started from.
        if ProcessEnvironment.isPrivileged {
            guard let path = await display(bus) else { return nil }
            return await check(bus, path)
        }
        if let path = await manager(bus, "GetSessionByPID", .uint32(UInt32(clamping: pid))),
            let session = await check(bus, path)
        {
            return session
        }
        if let id = environment["XDG_SESSION_ID"], !id.isEmpty,
            let path = await manager(bus, "GetSession", .string(id)),
            let session = await check(bus, path)
        {
            return session
        }
        guard let path = await display(bus) else { return nil }
        return await check(bus, path)
    }

    private func manager(_ bus: DBusConnection, _ member: String, _ argument: DBusValue) async -> String? {
        let reply = try? await bus.call(
            .init(LogindWatch.name, LogindWatch.root, LogindWatch.manager, member, [argument]),
            withinMs: LogindWatch.deadlineMs
        )
        return reply?.first?.text
    }

    private func display(_ bus: DBusConnection) async -> String? {
        guard let user = await manager(bus, "GetUser", .uint32(uid)) else { return nil }
        let properties = try? await LogindWatch.properties(bus, user, "org.freedesktop.login1.User")
        guard let pair = properties?["Display"]?.elements, pair.count == 2, let path = pair[1].text,
            path != "/"
        else { return nil }
        return path
    }

    /// Nil for another user's session: an id may be inherited from anywhere.
    private func check(_ bus: DBusConnection, _ path: String) async -> LoginSession? {
        guard path.hasPrefix("\(LogindWatch.root)/session/"),
            let facts = try? await LogindWatch.properties(bus, path, LogindWatch.sessionInterface),
            facts["User"]?.elements?.first?.number == Int64(uid), facts["State"]?.text != "closing"
        else { return nil }
        return LoginSession(
            id: HeardText.safe(facts["Id"]?.text) ?? path,
            path: path,
            type: facts["Type"]?.text ?? "",
            display: facts["Display"]?.text ?? ""
        )
    }
}

/// The session of logind that the screen belongs to.
package struct LoginSession: Sendable, Equatable {
    package var id: String
    var path: String
    /// `x11`, `wayland` or `tty`.
    var type: String
    /// The X display that the login made; empty where it made none, or does not say.
    var display: String

    package init(id: String, path: String, type: String = "", display: String = "") {
        self.id = id
        self.path = path
        self.type = type
        self.display = display
    }

    /// Whether what this adapter looks at can be the screen of the session: an account can start other displays.
    package func shows(_ kind: AdapterKind, _ signs: ScreenSigns) -> Bool {
        switch type {
        case "x11":
            kind == .x11
                && (display.isEmpty || Self.number(display) == signs.x11.map { Self.number($0.display) })
        case "wayland": kind != .x11
        default: true
        }
    }

    /// `:0` of `:0.0`.
    private static func number(_ display: String) -> Substring {
        display.drop { $0 != ":" }.prefix { $0 != "." }
    }
}
